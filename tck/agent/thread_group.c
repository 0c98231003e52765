/* SPDX-License-Identifier: MIT */
/* tck/agent/thread_group.c -- chapter Thread Group, and agent threads. */
#include "tck/lib/record.h"
#include "tck/lib/stage.h"

#include <semaphore.h>
#include <string.h>

#define THREAD "Ljava/lang/Thread;"
#define GROUP "Ljava/lang/ThreadGroup;"

/* -- groups -- */

static jobject
main_group(struct tck *t)
{
    return stage_call(t, "tck/Threads", "mainGroup", "()" GROUP);
}

static jobject
new_group(struct tck *t, jobject parent, const char *name, jint max, bool daemon)
{
    return stage_call(t, "tck/Threads", "group",
                      "(" GROUP "Ljava/lang/String;IZ)" GROUP, parent,
                      (*t->jni)->NewStringUTF(t->jni, name), max, (jint)daemon);
}

TCK_CASE("thread-group", info, "GetThreadGroupInfo.behaviour.values",
         "Get Thread Group Info", 161)
{
    jobject parent = main_group(t), group = new_group(t, parent, "tck child", 4, false);
    jvmtiThreadGroupInfo got;

    CALL(GetThreadGroupInfo, group, &got);
    TRUE((*t->jni)->IsSameObject(t->jni, parent, got.parent));
    TEXT("tck child", got.name);
    SAME(4, got.max_priority);
    SAME(JNI_FALSE, got.is_daemon);
    CALL(Deallocate, (unsigned char *)got.name);
}

TCK_CASE("thread-group", info_daemon, "GetThreadGroupInfo.behaviour.daemon",
         "Get Thread Group Info", 161)
{
    jobject group = new_group(t, main_group(t), "tck daemon", 10, true);
    jvmtiThreadGroupInfo got;

    CALL(GetThreadGroupInfo, group, &got);
    SAME(stage_call_long(t, "tck/Threads", "isDaemon", "(" GROUP ")Z", group),
         got.is_daemon);
    CALL(Deallocate, (unsigned char *)got.name);
}

TCK_CASE("thread-group", top, "GetTopThreadGroups.behaviour.parentless",
         "Get Top Thread Groups", 160)
{
    jthreadGroup *groups;
    jint count;

    CALL(GetTopThreadGroups, &count, &groups);
    TRUE(count >= 1);
    for (jint i = 0; i < count; i++) {
        jvmtiThreadGroupInfo got;

        CALL(GetThreadGroupInfo, groups[i], &got);
        TRUE(got.parent == NULL);
        CALL(Deallocate, (unsigned char *)got.name);
    }
    CALL(Deallocate, (unsigned char *)groups);
}

TCK_CASE("thread-group", top_reaches_main, "GetTopThreadGroups.behaviour.ancestors",
         "Get Top Thread Groups", 160)
{
    jobject group = main_group(t);
    jthreadGroup *groups;
    jint count;
    bool found = false;

    for (;;) {
        jvmtiThreadGroupInfo got;

        CALL(GetThreadGroupInfo, group, &got);
        CALL(Deallocate, (unsigned char *)got.name);
        if (got.parent == NULL)
            break;
        group = got.parent;
    }
    CALL(GetTopThreadGroups, &count, &groups);
    for (jint i = 0; i < count; i++)
        found = found || (*t->jni)->IsSameObject(t->jni, groups[i], group);
    CALL(Deallocate, (unsigned char *)groups);
    TRUE(found);
}

static bool
children(struct tck *t, jobject group, jthread thread, jobject child, bool *has_thread,
         bool *has_child, jint *threads)
{
    jthread *list;
    jthreadGroup *groups;
    jint count, group_count;

    if (!tck_want(t, "GetThreadGroupChildren", JVMTI_ERROR_NONE,
                  (*t->jvmti)->GetThreadGroupChildren(t->jvmti, group, &count, &list,
                                                      &group_count, &groups)))
        return false;
    *has_thread = *has_child = false;
    *threads = count;
    for (jint i = 0; i < count; i++)
        *has_thread = *has_thread || (*t->jni)->IsSameObject(t->jni, list[i], thread);
    for (jint i = 0; i < group_count; i++)
        *has_child = *has_child || (*t->jni)->IsSameObject(t->jni, groups[i], child);
    (*t->jvmti)->Deallocate(t->jvmti, (unsigned char *)list);
    (*t->jvmti)->Deallocate(t->jvmti, (unsigned char *)groups);
    return true;
}

TCK_CASE("thread-group", children_live, "GetThreadGroupChildren.behaviour.live-threads",
         "Get Thread Group Children", 162)
{
    jobject group = new_group(t, main_group(t), "tck parent", 10, false);
    jobject inner = new_group(t, group, "tck inner", 10, false);
    jthread thread = stage_call(t, "tck/Threads", "inGroup", "(" GROUP ")" THREAD, group);
    bool has_thread, has_child;
    jint count;

    if (!children(t, group, thread, inner, &has_thread, &has_child, &count))
        return;
    stage_call_void(t, "tck/Threads", "end", "(" THREAD ")V", thread);
    TRUE(has_thread);
    TRUE(has_child);
    SAME(1, count);
    if (!children(t, group, thread, inner, &has_thread, &has_child, &count))
        return;
    SAME(0, count);
    TRUE(has_child);
}

/* How often the object is among the list's. */
static int
occurrences(struct tck *t, const jobject *list, jint count, jobject object)
{
    int found = 0;

    for (jint i = 0; i < count; i++)
        found += (*t->jni)->IsSameObject(t->jni, list[i], object);
    return found;
}

TCK_CASE("thread-group", children_each, "GetThreadGroupChildren.behaviour.each-once",
         "Get Thread Group Children", 162)
{
    jobject group = new_group(t, main_group(t), "tck several", 10, false);
    jobject inner[3];
    jthread threads[3], *list;
    jthreadGroup *groups;
    jint count, group_count;
    int seen[3], seen_groups[3];

    for (int i = 0; i < 3; i++) {
        inner[i] = new_group(t, group, "tck one of several", 10, false);
        threads[i] = stage_call(t, "tck/Threads", "inGroup", "(" GROUP ")" THREAD,
                                group);
    }
    CALL(GetThreadGroupChildren, group, &count, &list, &group_count, &groups);
    for (int i = 0; i < 3; i++) {
        seen[i] = occurrences(t, list, count, threads[i]);
        seen_groups[i] = occurrences(t, groups, group_count, inner[i]);
        stage_call_void(t, "tck/Threads", "end", "(" THREAD ")V", threads[i]);
    }
    CALL(Deallocate, (unsigned char *)list);
    CALL(Deallocate, (unsigned char *)groups);
    SAME(3, count);
    SAME(3, group_count);
    for (int i = 0; i < 3; i++) {
        SAME(1, seen[i]);
        SAME(1, seen_groups[i]);
    }
}

TCK_CASE("thread-group", children_unstarted,
         "GetThreadGroupChildren.behaviour.unstarted",
         "Get Thread Group Children", 162)
{
    jobject group = new_group(t, main_group(t), "tck unstarted", 10, false);
    jthread thread = stage_call(
        t, "tck/Threads", "named",
        "(Ljava/lang/String;IZ" GROUP "Ljava/lang/ClassLoader;)" THREAD,
        (*t->jni)->NewStringUTF(t->jni, "unstarted"), (jint)5, (jint)0, group, NULL);
    bool has_thread, has_child;
    jint count;

    if (!children(t, group, thread, NULL, &has_thread, &has_child, &count))
        return;
    SAME(0, count);
}

TCK_CASE("thread-group", children_grand, "GetThreadGroupChildren.behaviour.direct-only",
         "Get Thread Group Children", 162)
{
    jobject group = new_group(t, main_group(t), "tck grand", 10, false);
    jobject child = new_group(t, group, "tck child", 10, false);
    jobject grandchild = new_group(t, child, "tck grandchild", 10, false);
    jthread thread = stage_call(t, "tck/Threads", "inGroup", "(" GROUP ")" THREAD, child);
    bool has_thread, has_child;
    jint count;

    if (!children(t, group, thread, grandchild, &has_thread, &has_child, &count))
        return;
    stage_call_void(t, "tck/Threads", "end", "(" THREAD ")V", thread);
    SAME(0, count);
    TRUE(!has_child);
}

/* -- agent threads -- */

static struct {
    sem_t started, go;
    jvmtiEnv *jvmti;
    bool jni_works;
    void *arg;
    jint priority;
    bool daemon;
} agent;

static void JNICALL
agent_main(jvmtiEnv *jvmti, JNIEnv *jni, void *arg)
{
    jvmtiThreadInfo info;

    agent.jvmti = jvmti;
    agent.arg = arg;
    agent.jni_works = (*jni)->FindClass(jni, "java/lang/Object") != NULL;
    if ((*jvmti)->GetThreadInfo(jvmti, NULL, &info) == JVMTI_ERROR_NONE) {
        agent.priority = info.priority;
        agent.daemon = info.is_daemon;
        (*jvmti)->Deallocate(jvmti, (unsigned char *)info.name);
    }
    sem_post(&agent.started);
    sem_wait(&agent.go);
}

/* Start an agent thread and wait until it runs. */
static jthread
run_agent(struct tck *t, void *arg, jint priority)
{
    jthread thread = stage_call(t, "tck/Threads", "create", "(Ljava/lang/String;)" THREAD,
                                (*t->jni)->NewStringUTF(t->jni, "tck-agent"));

    memset(&agent, 0, sizeof agent);
    sem_init(&agent.started, 0, 0);
    sem_init(&agent.go, 0, 0);
    if (!tck_want(t, "RunAgentThread", JVMTI_ERROR_NONE,
                  (*t->jvmti)->RunAgentThread(t->jvmti, thread, agent_main, arg,
                                              priority)))
        return NULL;
    sem_wait(&agent.started);
    return thread;
}

static void
end_agent(struct tck *t, jthread thread)
{
    sem_post(&agent.go);
    stage_call_void(t, "tck/Threads", "join", "(" THREAD ")V", thread);
}

TCK_CASE("thread-group", agent_arguments, "RunAgentThread.behaviour.arguments",
         "Run Agent Thread", 145)
{
    jthread thread = run_agent(t, &agent, 5);

    if (thread == NULL)
        return;
    end_agent(t, thread);
    TRUE(agent.jvmti == t->jvmti);
    TRUE(agent.arg == &agent);
    TRUE(agent.jni_works);
}

TCK_CASE("thread-group", agent_null, "RunAgentThread.behaviour.null-argument",
         "Run Agent Thread", 146)
{
    jthread thread = run_agent(t, NULL, 5);

    if (thread == NULL)
        return;
    end_agent(t, thread);
    TRUE(agent.arg == NULL);
}

TCK_CASE("thread-group", agent_daemon, "RunAgentThread.behaviour.daemon-and-priority",
         "Run Agent Thread", 147)
{
    jthread thread = run_agent(t, NULL, 8);

    if (thread == NULL)
        return;
    end_agent(t, thread);
    SAME(8, agent.priority);
    TRUE(agent.daemon);
}

TCK_CASE("thread-group", agent_listed, "RunAgentThread.behaviour.in-GetAllThreads",
         "Run Agent Thread", 151)
{
    jthread thread = run_agent(t, NULL, 5), *threads;
    jint count, state;
    bool found = false;

    if (thread == NULL)
        return;
    CALL(GetAllThreads, &count, &threads);
    CALL(GetThreadState, thread, &state);
    for (jint i = 0; i < count; i++)
        found = found || (*t->jni)->IsSameObject(t->jni, threads[i], thread);
    CALL(Deallocate, (unsigned char *)threads);
    end_agent(t, thread);
    TRUE(found);
    TRUE((state & JVMTI_THREAD_STATE_ALIVE) != 0);
}

TCK_CASE("thread-group", agent_hidden, "RunAgentThread.behaviour.hidden-from-java",
         "Run Agent Thread", 151)
{
    jthread thread = run_agent(t, NULL, 5);
    jlong listed;

    if (thread == NULL)
        return;
    listed = stage_call_long(t, "tck/Threads", "listsThread", "(Ljava/lang/String;)Z",
                             (*t->jni)->NewStringUTF(t->jni, "tck-agent"));
    end_agent(t, thread);
    SAME(0, listed);
}

TCK_CASE("thread-group", agent_ungrouped, "RunAgentThread.behaviour.in-no-group",
         "Run Agent Thread", 150)
{
    jthread thread = run_agent(t, NULL, 5);
    bool has_thread = false, has_child;
    jint count;
    jlong listed;

    if (thread == NULL)
        return;
    children(t, main_group(t), thread, NULL, &has_thread, &has_child, &count);
    listed = stage_call_long(t, "tck/Threads", "groupLists",
                             "(" GROUP "Ljava/lang/String;)Z", main_group(t),
                             (*t->jni)->NewStringUTF(t->jni, "tck-agent"));
    end_agent(t, thread);
    TRUE(!has_thread);
    SAME(0, listed);
}

TCK_CASE("thread-group", agent_event, "RunAgentThread.behaviour.ThreadStart",
         "Run Agent Thread", 148)
{
    jthread thread;

    RECORDING(JVMTI_EVENT_THREAD_START);
    thread = run_agent(t, NULL, 5);
    if (thread == NULL)
        return;
    end_agent(t, thread);
    record_quiet(t);
    SAME(1, record_matches(t->jvmti, JVMTI_EVENT_THREAD_START, NULL, "tck-agent"));
}

TCK_CASE("thread-group", agent_stack, "RunAgentThread.behaviour.in-GetAllStackTraces",
         "Run Agent Thread", 151)
{
    jthread thread = run_agent(t, NULL, 5);
    jvmtiStackInfo *info;
    jint count;
    bool found = false;

    if (thread == NULL)
        return;
    CALL(GetAllStackTraces, 1, &info, &count);
    for (jint i = 0; i < count; i++)
        found = found || (*t->jni)->IsSameObject(t->jni, info[i].thread, thread);
    CALL(Deallocate, (unsigned char *)info);
    end_agent(t, thread);
    TRUE(found);
}
