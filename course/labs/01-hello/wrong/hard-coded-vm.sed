# loses vm: knows two VMs by heart
s/say("vm %s", name)/say("vm %s", strstr(name, "minivm") ? "minivm" : "OpenJDK 64-Bit Server VM")/
