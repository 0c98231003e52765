# loses caller: loses the requests that stand before the one that is taken
/^take_request/,/^}/s/\*link = p->next;/t->jvmti->pop_requests = p->next;/
