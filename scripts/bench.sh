#!/usr/bin/env bash
# Measures `epitome compact` on this machine against the limit (reading, parsing and counting), against other compactors, jq
# and zstd, and how time and memory grow. All that is compared runs in turn, so ratios mean more than single figures. Prints
# tables of Markdown; target/bench/result.json has all of it.
#
#   scripts/bench.sh [--quick | --large] [--only PART] [--strict]
#
# Needs cargo, Python 3.10 or later, and PyPI; jq and zstd are used where they are installed. All that is made stays below
# target/bench. EPITOME and PYTHON may be set.
set -euo pipefail
cd "$(dirname "$0")/.."

bench=target/bench
pins=scripts/bench/requirements.txt
mkdir -p $bench/vocabulary
if ! cmp -s $pins $bench/installed.txt; then
    rm -rf $bench/venv
    "${PYTHON:-python3}" -m venv $bench/venv
    $bench/venv/bin/python -m pip install --quiet --disable-pip-version-check -r $pins
    cp $pins $bench/installed.txt
fi
if [[ -z ${EPITOME:-} ]]; then
    cargo build --release --locked --quiet
    EPITOME=${CARGO_TARGET_DIR:-target}/release/epitome
fi

# tiktoken loads its vocabulary from the network, or from here, by the hash of the address; it checks what it finds. A crate that
# epitome is built with has the same file.
vocabulary=$bench/vocabulary/fb374d419588a4632f3f557e76b4b70aebbca790
[[ -s $vocabulary ]] || $bench/venv/bin/python scripts/bench/vocabulary.py "$vocabulary"
TIKTOKEN_CACHE_DIR=$PWD/$bench/vocabulary
EPITOME=$(realpath "$EPITOME")
export EPITOME TIKTOKEN_CACHE_DIR PYTHONDONTWRITEBYTECODE=1
exec $bench/venv/bin/python scripts/bench "$@"
