#!/bin/sh
# Runs what lies beside it, on a machine with an OpenCL driver. Results go to the folder results/.
#   ./run bench [OPTIONS]   the benchmarks; `./run bench --help` lists what they understand
#   ./run test [WORD...]    the tests whose program's name contains one of the words
# CL_TEST_DEVICE=TEXT narrows the tests to devices with this text in their name or their platform's.
# A driver that is not registered: OCL_ICD_VENDORS=FOLDER, with a file NAME.icd that names its library.
set -u
cd "$(dirname "$0")" || exit 1
mkdir -p results caches
chmod 700 caches # or cl-core would keep nothing there
export CL_CACHE="${CL_CACHE:-$PWD/caches/cl}" POCL_CACHE_DIR="${POCL_CACHE_DIR:-$PWD/caches/pocl}"
mkdir -m 700 -p "$POCL_CACHE_DIR"

bench() {
    # Beside CUB and Thrust, where their compiler is.
    peers=
    if command -v nvcc >/dev/null; then peers=--peers; fi
    ./cl-bench $peers --json "results/bench.json" "$@"
}

wanted() {
    program=$1
    shift
    [ $# -eq 0 ] && return 0
    for word in "$@"; do
        case $program in *"$word"*) return 0 ;; esac
    done
    return 1
}

tests() {
    if [ ! -d tests ]; then
        mkdir tests.new && tar -xJf tests.tar.xz -C tests.new && mv tests.new tests || exit 1
    fi
    passed=0
    failed=
    for program in tests/*.test; do
        name=$(basename "$program" .test)
        wanted "$name" "$@" || continue
        # What compiles Rust cannot run here.
        if "$program" --skip everything_else_is_turned_away >"results/$name.log" 2>&1; then
            passed=$((passed + 1))
            echo "ok      $name"
        else
            failed="$failed $name"
            echo "FAILED  $name: see results/$name.log"
            grep -E '^test .* FAILED$' "results/$name.log"
        fi
    done
    echo "$passed programs passed, failed:${failed:- none}"
    [ -z "$failed" ] && [ "$passed" -gt 0 ]
}

case "${1-}" in
    bench) shift && bench "$@" ;;
    test) shift && tests "$@" ;;
    *) sed -n '2,6s/^# //p' "$0" && exit 2 ;;
esac
