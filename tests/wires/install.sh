#!/bin/sh
# Install the real servers of the integration set (Dovecot, Postfix, its filters, nginx, Prometheus, PostgreSQL), Chromium and epubcheck
# on a Debian machine.
#
#   tests/wires/install.sh          exit 0: the servers are there (or were already)
#                                   exit 1: they are not, with the reason on stderr
#
# The rules of accessibility (axe-core) come from npm, where there is one; without them the tests say what was not tried.
#
# Idempotent. Nothing is started: a policy-rc.d guard says "no" to every service
# while the packages unpack, and is taken away again afterwards. Postfix is told
# "No configuration", so the machine's own mail is left alone.
set -eu

PACKAGES="dovecot-imapd dovecot-lmtpd postfix openssl opendkim opendmarc nginx-light prometheus postgresql chromium epubcheck"
POLICY=/usr/sbin/policy-rc.d

refuse() {
    echo "tests/wires/install.sh: $1" >&2
    exit 1
}

present() {
    PATH="$PATH:/usr/sbin:/sbin" command -v "$1" >/dev/null 2>&1
}

AXE=axe-core-4.14.1
SHELF=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/diplomacy-judge/$AXE
if [ ! -e "$SHELF/axe.min.js" ] && present npm; then
    UNPACKED=$(mktemp -d)
    if (cd "$UNPACKED" && npm pack --silent "axe-core@${AXE##*-}" && tar -xzf "$AXE.tgz") >/dev/null 2>&1; then
        mkdir -p "$SHELF"
        cp "$UNPACKED/package/LICENSE" "$UNPACKED/package/axe.min.js" "$SHELF/"
    fi
    rm -rf "$UNPACKED"
fi

if present dovecot && present postfix && present openssl && present opendkim && present opendmarc && present nginx && present promtool && present chromium && [ -e /usr/share/java/epubcheck.jar ] && [ -d /usr/lib/postgresql ] && [ -x /usr/lib/dovecot/imap ] && [ -x /usr/lib/dovecot/lmtp ]; then
    exit 0
fi

present apt-get || refuse "no apt-get here; install by hand what this would bring: $PACKAGES"
[ "$(id -u)" = 0 ] || refuse "only root may install packages; run it as root, or install: $PACKAGES"

GUARDED=no
if [ ! -e "$POLICY" ]; then
    printf '#!/bin/sh\nexit 101\n' >"$POLICY"
    chmod 755 "$POLICY"
    GUARDED=yes
fi
trap '[ "$GUARDED" = no ] || rm -f "$POLICY"' EXIT INT TERM

echo "postfix postfix/main_mailer_type select No configuration" | debconf-set-selections

export DEBIAN_FRONTEND=noninteractive
fetch() {
    apt-get install -y -q --no-install-recommends -o Dpkg::Use-Pty=0 $PACKAGES
}
# Package lists may be missing or stale (fresh containers): one refresh, then the last word.
fetch >/dev/null 2>&1 || { apt-get update -q >/dev/null 2>&1 || true; fetch >&2 || refuse "apt-get could not install: $PACKAGES"; }
