# Sourced by deploy/run and deploy/test: makes .venv with what the lock file names. Sets $BIN.
# Wants: $EXTRA ("" or "[test]"), and to stand in the project's root.

PYTHON=${PYTHON:-python3}

fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

command -v "$PYTHON" >/dev/null 2>&1 ||
    fail "There is no $PYTHON here. Install Python 3.11 or later, or name one: PYTHON=python3.12 $0"
"$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    fail "$PYTHON is $("$PYTHON" --version 2>&1), but the judge needs 3.11 or later: PYTHON=python3.12 $0"
"$PYTHON" -c 'import venv, ensurepip' 2>/dev/null ||
    fail "$PYTHON cannot make virtual environments. On Debian and its kin: apt install python3-venv"

VENV=${JUDGE_VENV:-.venv}
BIN=$VENV/bin
STAMP=$VENV/judge-installed
WANTED=$(cat pyproject.toml deploy/constraints.txt | cksum)$EXTRA

if [ ! -x "$BIN/python" ] || [ "$(cat "$STAMP" 2>/dev/null)" != "$WANTED" ]; then
    echo "Setting up $VENV (once; a minute or so) ..."
    [ -x "$BIN/python" ] || "$PYTHON" -m venv "$VENV"
    # The distribution was called "judge" once; what it left would share its files with the one that is called otherwise.
    if "$BIN/python" -m pip show -qq judge >/dev/null 2>&1; then
        "$BIN/python" -m pip uninstall -qq --yes judge
    fi
    "$BIN/python" -m pip install -qq --disable-pip-version-check \
        --constraint deploy/constraints.txt --editable ".$EXTRA" ||
        fail "Installing failed; see above. Without a network, give pip an index or a folder of wheels."
    printf '%s' "$WANTED" >"$STAMP"
fi
