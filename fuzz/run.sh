#!/bin/sh
# Runs fuzz targets one after another, each for the same time, from the seeds among the golden files.
#
#     fuzz/run.sh SECONDS [TARGET…]
set -eu
cd "$(dirname "$0")"
seconds=$1
shift
[ $# -gt 0 ] || set -- safetensors torch config vocab spm execution
for target in "$@"; do
    case $target in
        safetensors) seeds=../tests/golden length=16384 ;;
        torch) seeds=../tests/golden/torch length=16384 ;;
        config) seeds=../tests/golden/hf length=4096 ;;
        vocab) seeds=../tests/golden/tokenizer length=16384 ;;
        spm) seeds=../tests/golden/spm length=32768 ;;
        execution) seeds= length=4096 ;;
    esac
    mkdir -p "corpus/$target"
    cargo +nightly fuzz run "$target" "corpus/$target" $seeds -- \
        "-max_total_time=$seconds" "-max_len=$length" -rss_limit_mb=2048 -timeout=240 -print_final_stats=1
done
