# loses prepare: takes the event ClassLoad
s/JVMTI_EVENT_CLASS_PREPARE/JVMTI_EVENT_CLASS_LOAD/
s/callbacks\.ClassPrepare/callbacks.ClassLoad/
