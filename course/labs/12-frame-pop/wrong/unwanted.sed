# loses once: sends the event to who does not want it any more
s/if (!env_wants(env, self, EVENT_INDEX(FRAME_POP)))/if (env == NULL)/
