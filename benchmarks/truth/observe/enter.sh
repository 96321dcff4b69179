#!/bin/sh
# Runs as root in namespaces of its own: makes a root that holds nothing worth harming, then lets strace start the
# command in it as a user without any privilege.
#
# enter.sh ROOT OUTER SAMPLES TRACE UID COMMAND; the files of strace end up in TRACE, which the command can't open.
set -eu
root=$1 outer=$2 samples=$3 trace=$4 uid=$5 command=$6

mount --make-rprivate /
mount -t tmpfs -o size=64k,mode=755 truth "$outer"
mount --bind "$root" "$root"
mount -o remount,bind,ro,nosuid,nodev "$root"
for folder in usr bin sbin lib lib32 lib64; do
    if [ -L "/$folder" ]; then
        cp -P "/$folder" "$outer/$folder"
    elif [ -d "/$folder" ]; then
        mount --rbind "/$folder" "$root/$folder"
        mount -o remount,bind,ro,nosuid,nodev "$root/$folder"
        mkdir "$outer/$folder"
        mount --bind "$root/$folder" "$outer/$folder"
    fi
done

mount -t proc -o nosuid,nodev,noexec,hidepid=2 proc "$root/proc"
# Folders that only root may read would make every search of the whole system fail.
for folder in /proc/tty/driver $TRUTH_MASKED; do
    [ ! -d "$root$folder" ] || mount -t tmpfs -o ro,size=4k,mode=755 truth "$root$folder"
done
mount -t tmpfs -o nosuid,noexec,size=64k,mode=755 truth "$root/dev"
mknod -m 666 "$root/dev/null" c 1 3
mknod -m 666 "$root/dev/zero" c 1 5
mknod -m 666 "$root/dev/full" c 1 7
mknod -m 666 "$root/dev/random" c 1 8
mknod -m 666 "$root/dev/urandom" c 1 9
mknod -m 666 "$root/dev/tty" c 5 0
ln -s /proc/self/fd "$root/dev/fd"
ln -s /proc/self/fd/0 "$root/dev/stdin"
ln -s /proc/self/fd/1 "$root/dev/stdout"
ln -s /proc/self/fd/2 "$root/dev/stderr"
mount -o remount,ro,nosuid,noexec "$root/dev"

mount -t tmpfs -o nosuid,nodev,size=192m,nr_inodes=20k,mode=755 truth "$root/home/dev"
cp -a "$samples/home/." "$root/home/dev"
mount -t tmpfs -o nosuid,nodev,size=64m,nr_inodes=10k,mode=1777 truth "$root/tmp"
cp -a "$samples/tmp/." "$root/tmp"
mount --bind "$trace" "$root/run/trace"

# The machine goes out of sight first, all but its programs. The change of root after that is what keeps the command
# from making user namespaces, in which it would be root.
mkdir "$outer/root" "$outer/proc"
mount --bind "$root/proc" "$outer/proc"
mount --move "$root" "$outer/root"
cd "$outer"
pivot_root . .
umount -l .
cd /root/home/dev/repo

# Copies have other inode numbers than git's index knows: refreshed here, so that no reading command has to.
[ ! -d .git ] || chroot /root setpriv --reuid="$uid" --regid="$uid" --clear-groups \
    env -i PATH=/usr/bin:/bin HOME=/nonexistent git -C /home/dev/repo update-index -q --refresh >/root/dev/null 2>&1 || :

umask 077 # the command may see that there are files of strace, not read them
exec chroot /root env -i -C /home/dev/repo PATH="$TRUTH_PATH" HOME=/home/dev USER=dev LOGNAME=dev \
    SHELL=/bin/bash LANG=C.UTF-8 TERM=dumb TZ=UTC GIT_OPTIONAL_LOCKS=0 \
    strace -ff -o /run/trace/t -a 1 -s 120 -y --seccomp-bpf --quiet=attach,personality,path-resolution \
    -e trace="$TRUTH_WATCHED" \
    prlimit --cpu=5 --data=2147483648 --fsize=16777216 --nproc=200 --nofile=256 --core=0 \
    setpriv --reuid="$uid" --regid="$uid" --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all \
    /bin/bash --norc --noprofile -c "$command"
