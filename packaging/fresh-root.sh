#!/bin/bash
# Proves the two commands on a fresh machine: makes a throw-away Debian in which only git and what mmdebstrap needs is installed, clones
# the last commit into it and runs the commands there. Needs root and mmdebstrap; uses this machine's own package sources.
#   packaging/fresh-root.sh [--suite NAME] [--user] [--keep] [--ccache FOLDER] [COMMAND…]
#     --suite NAME   the Debian to make; this machine's own when not given, as in its sources
#     --user         run as an ordinary user with sudo instead of as root
#     --keep         leave the root where it is, and say where
#     --ccache FOLDER  start with what this compiler cache holds, to save time; without it the build is from nothing
#     COMMAND…       what to run in the clone; packaging/try.sh and then packaging/check.sh when not given
set -euo pipefail
project=$(cd "$(dirname "$0")/.." && pwd)

suite=""
user=""
keep=""
cache=""
while [ $# -gt 0 ]; do
    case $1 in
        --suite) suite=$2; shift ;;
        --user) user=yes ;;
        --keep) keep=yes ;;
        --ccache) cache=$2; shift ;;
        --*) sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
        *) break ;;
    esac
    shift
done
[ "$(id -u)" = 0 ] || { echo "fresh-root.sh: making a root needs root." >&2; exit 1; }
command -v mmdebstrap >/dev/null || { echo "fresh-root.sh: mmdebstrap is not installed." >&2; exit 1; }

if [ -z "${LABHELM_OWN_MOUNTS:-}" ]; then # in mount and process spaces of its own, so that nothing outlives it
    again=()
    [ -z "$suite" ] || again+=(--suite "$suite")
    [ -z "$user" ] || again+=(--user)
    [ -z "$keep" ] || again+=(--keep)
    [ -z "$cache" ] || again+=(--ccache "$cache")
    LABHELM_OWN_MOUNTS=yes exec unshare --mount --pid --fork --kill-child --propagation private "$0" "${again[@]}" "$@"
fi

root=$(mktemp -d "${TMPDIR:-/var/tmp}/labhelm-root.XXXXXX")
finish() {
    for mount in ccache dev/shm dev/pts sys proc; do
        umount -l "$root/$mount" 2>/dev/null || true
    done
    if [ -n "$keep" ] || [ -n "$(ls -A "$root/ccache" 2>/dev/null)" ]; then # a cache that is still mounted must not be deleted
        echo "The root is in $root."
    else
        rm -rf --one-file-system "$root"
    fi
}
trap finish EXIT
trap 'exit 143' INT TERM HUP

# The outer machine's sources, changed to the wanted suite, and how it reaches them.
sources=()
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
    [ -s "$file" ] && sources+=("$file")
done
own=$(. /etc/os-release && echo "$VERSION_CODENAME")
lists=$root.sources
mkdir "$lists"
for file in "${sources[@]}"; do
    sed "s/\b$own\b/${suite:-$own}/g" "$file" >"$lists/${file##*/}"
done
echo "Making a fresh Debian ${suite:-$own}."
mmdebstrap --quiet --mode=root --variant=apt --include=git,ca-certificates${user:+,sudo} "${suite:-$own}" "$root" \
    "${lists}"/* || { rm -rf "$lists"; exit 1; }
rm -rf "$lists"
apt-config dump | grep -E '^Acquire::(https?|Check|ftp)' >"$root/etc/apt/apt.conf.d/90outer" || true
echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/throw-away"
cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
install -D -m 644 -t "$root/usr/local/share/ca-certificates" /usr/local/share/ca-certificates/*.crt 2>/dev/null || true
chroot "$root" update-ca-certificates >/dev/null 2>&1 || true

mount -t proc proc "$root/proc"
mount -t sysfs sysfs "$root/sys" 2>/dev/null || true
mkdir -p "$root/dev/shm" "$root/dev/pts"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts" 2>/dev/null || true
if [ -n "$cache" ]; then
    mkdir "$root/ccache"
    mount --bind "$cache" "$root/ccache"
fi

home=/root
name=root
if [ -n "$user" ]; then
    name=kim
    home=/home/$name
    chroot "$root" useradd --create-home --shell /bin/bash "$name"
    echo "$name ALL=(ALL) NOPASSWD: ALL" >"$root/etc/sudoers.d/$name"
fi
git -c safe.directory="*" clone --quiet --no-local "$project" "$root$home/labhelm"
chroot "$root" chown -R "$name:" "$home/labhelm"

inside() {
    echo "== $*"
    local from
    from=$(date +%s)
    local status=0
    chroot --userspec="$name:$name" "$root" env -i HOME="$home" USER="$name" PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        LANG=C.UTF-8 ${cache:+CCACHE_DIR=/ccache} CI="${CI:-}" NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt \
        npm_config_cafile=/etc/ssl/certs/ca-certificates.crt bash -c "cd $home/labhelm && \"\$@\"" _ "$@" || status=$?
    echo "== $* ended with $status after $(($(date +%s) - from)) s"
    return "$status"
}
if [ $# -gt 0 ]; then
    inside "$@"
else
    inside packaging/try.sh
    inside packaging/check.sh
fi
