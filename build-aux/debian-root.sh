# SPDX-License-Identifier: MIT
# A Debian that has nothing yet, in a folder, for scripts that try things there: made with
# debootstrap from the mirror that apt is configured with here.  Sourced by the scripts,
# which have a function `fail MESSAGE`.  Needs root.
#
#       debian_root_enter "$@"      first: mounts of this script are its own from here on
#       debian_root_make SUITE DIR LOG
#       debian_root_mount DIR       /proc, /dev with terminals; debian_root_unmount DIR
#       debian_root_run DIR COMMAND...

# Runs the script again in a namespace of its own, so that its mounts end with it.
debian_root_enter() # ARGUMENTS-OF-THE-SCRIPT...
{
    [ -z "$DEBIAN_ROOT_INSIDE" ] || return 0
    command -v debootstrap >/dev/null || fail "debootstrap is missing"
    DEBIAN_ROOT_INSIDE=yes exec unshare --mount --propagation private sh "$0" "$@"
}

# Prints each "URI suite component" of the suite.  The mirror is one that apt knows here;
# another suite than this machine's is taken from the same one.
debian_root_sources() # SUITE
{
    apt-get indextargets --format '$(ORIGIN) $(REPO_URI) $(RELEASE) $(COMPONENT)' \
        'Created-By: Packages' | awk -v suite="$1" '
        $1 == "Debian" && $3 !~ /backports/ && $4 == "main" {
            sub(/^[a-z]+/, suite, $3)
            print $2, $3, $4
        }' | sort -u
}

# Makes the smallest system of the suite in DIR, whose apt reaches the same mirror.
debian_root_make() # SUITE DIR LOG
{
    debian_sources=$(debian_root_sources "$1")
    debian_mirror=$(echo "$debian_sources" | awk -v s="$1" '$2 == s { print $1; exit }')
    [ -n "$debian_mirror" ] || fail "apt knows no mirror of Debian here"
    debootstrap --variant=minbase "$1" "$2" "$debian_mirror" >"$3" 2>&1 || {
        tail -n 20 "$3" >&2
        fail "debootstrap of $1 failed"
    }
    echo "$debian_sources" | sed 's/^/deb /' >"$2/etc/apt/sources.list"
    apt-config dump | grep -E '^Acquire::(https?::Proxy|Check-)' \
        >"$2/etc/apt/apt.conf.d/90mirror"
    cp -L /etc/resolv.conf /etc/hosts "$2/etc" 2>/dev/null
    return 0
}

debian_root_mount() # DIR
{
    mount -t proc proc "$1/proc" && mount --bind /dev "$1/dev" &&
        mount -t devpts -o ptmxmode=666 devpts "$1/dev/pts" || fail "cannot mount"
}

debian_root_unmount() # DIR
{
    umount "$1/proc" "$1/dev/pts" "$1/dev" 2>/dev/null
    return 0
}

# Runs a command as root of the system in DIR, with a small environment.
debian_root_run() # DIR COMMAND...
{
    debian_dir=$1
    shift
    env -i HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        chroot "$debian_dir" "$@"
}
