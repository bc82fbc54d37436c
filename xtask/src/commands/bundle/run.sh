#!/bin/sh
# Runs what lies beside it: the benchmarks and tests of this bundle, on a machine with an OpenCL driver.
# Results go to the folder results/ of the bundle, except for files that options name.
#   ./run bench [OPTIONS]   the benchmarks, and other libraries as far as they can be compiled here;
#                           `./run bench --help` lists the options
#   ./run test [WORD...]    the tests of modules whose name, such as cl-algo.suite.scan, contains one of the words
#   ./run golden            compares the recorded devices and their kernels with the devices of this machine
#   ./run hostile [PROGRAMS [SEED [FIRST]]]   random safe programs against a model, from program FIRST on; on all processors
# CL_TEST_DEVICE=TEXT selects the devices with this text in their name or in their platform's name.
# JOBS=4 runs 4 modules at once. LIMIT=600 ends a module after 600 seconds.
# OCL_ICD_VENDORS=FOLDER selects an unregistered driver: the folder needs a file NAME.icd that names its library.
set -u
dir=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 1

has() {
    command -v "$1" >/dev/null 2>&1
}

# Creates the folders that programs write to.
prepare() {
    mkdir -p "$dir/results" "$dir/caches"
    chmod 700 "$dir/caches" # otherwise cl-core does not use it
    export POCL_CACHE_DIR="${POCL_CACHE_DIR:-$dir/caches/pocl}"
    mkdir -m 700 -p "$POCL_CACHE_DIR"
}

# Returns whether an option is among the other arguments.
given() {
    option=$1
    shift
    for other; do
        case $other in "$option" | "$option="*) return 0 ;; esac
    done
    return 1
}

# Runs the benchmarks in the user's folder, to which the files in the options are relative. Adds a default for
# each option that is not given, unless another option excludes it. With --from nothing is measured, so the
# report of the last measurements is kept.
bench() {
    prepare
    export CL_CACHE="${CL_CACHE:-$dir/caches/cl}"
    if given --tune "$@"; then
        given --record "$@" || set -- --record "$dir/results/tuning.tsv" "$@"
    elif given --from "$@"; then
        given --html "$@" || set -- --html "$dir/results/from.html" "$@"
    else
        given --peers "$@" || set -- --peers "$@"
        given --peers-in "$@" || set -- --peers-in "$dir/caches/peers" "$@"
        given --html "$@" || set -- --html "$dir/results/bench.html" "$@"
        given --json "$@" || set -- --json "$dir/results/bench.json" "$@"
    fi
    "$dir/cl-bench" "$@"
}

unpack() {
    [ -d tests ] && return 0
    if [ ! -e tests.tar.xz ]; then
        echo "this bundle has no tests: it was made with --no-tests" >&2
        return 1
    fi
    rm -rf tests.new
    mkdir tests.new
    if has xz; then
        tar -xJf tests.tar.xz -C tests.new
    elif has python3; then
        python3 -c 'import tarfile; tarfile.open("tests.tar.xz").extractall("tests.new")'
    else
        echo "tests.tar.xz needs xz or python3 to be unpacked" >&2
        false
    fi && mv tests.new tests && return 0
    rm -rf tests.new
    return 1
}

# Lists the tests of a program, without those that compile Rust or read its sources, which cannot run here.
listed() {
    "tests/$1.test" --list --format terse | sed -n 's/: test$//p' |
        grep -vE '^(turned_away|lifetimes|rules)::|(^|::)everything_else_is_turned_away$'
}

# Lists the pieces, each for one process: the tests inside a library, or one module of another program. Golden tests
# compare with files that only the workspace has, but for those of `golden`.
pieces() {
    for program in tests/*.test; do
        name=$(basename "$program" .test)
        case $name in
            *.golden) ;;
            *.*) listed "$name" | awk -v name="$name" -F:: '{ print (NF > 1 ? name "." $1 : name) }' | sort -u ;;
            *) echo "$name" ;;
        esac
    done
}

# Lists the pieces whose name contains one of the words, or all pieces.
chosen() {
    pieces | while read -r name; do
        [ $# -eq 0 ] && echo "$name" && continue
        for word in "$@"; do
            case $name in *"$word"*) echo "$name" && break ;; esac
        done
    done
}

# For `tests`: runs one piece, writes its output to a file, and marks the file if the piece fails.
one() {
    piece=$1
    log="results/tests/$piece.log"
    # Several processes at once can corrupt PoCL's cache.
    export POCL_CACHE_DIR="$POCL_CACHE_DIR/$piece"
    mkdir -p "$POCL_CACHE_DIR"
    limit=
    if has timeout; then limit="timeout ${LIMIT:-1800}"; fi
    program=$piece
    if [ ! -e "tests/$piece.test" ]; then
        program=${piece%.*}
        # shellcheck disable=SC2046 # names without spaces, each an argument
        set -- --exact $(listed "$program" | grep "^${piece##*.}::")
    else
        # The tests outside of modules, in a program that has modules.
        # shellcheck disable=SC2046
        case $piece in *.*) set -- --exact $(listed "$piece" | grep -v ::) ;; *) set -- ;; esac
    fi
    if $limit "tests/$program.test" "$@" >"$log" 2>&1; then
        echo "ok      $piece"
    else
        status=$?
        echo "the program ended with $status" >"results/tests/$piece.failed"
        echo "FAILED  $piece ($status): see $log"
    fi
}

summary() {
    awk '/^test result: / { passed += $4; failed += $6; skipped += $8 }
        END { printf "%d tests passed, %d failed, %d skipped\n", passed, failed, skipped }' results/tests/*.log
    for mark in results/tests/*.failed; do
        [ -e "$mark" ] || continue
        echo "failed: $(basename "$mark" .failed): $(cat "$mark")"
        grep -E '^test .* FAILED$' "${mark%.failed}.log" | sed 's/^/    /'
    done
}

tests() {
    unpack || exit 1
    rm -rf results/tests
    mkdir results/tests
    export CL_CACHE="${CL_CACHE:-off}"
    processors=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 4)
    names=$(chosen "$@")
    [ -n "$names" ] || { echo "no module of tests has such a name" >&2 && exit 2; }
    # Each module has threads of its own, so one job for about four processors is enough.
    jobs=$((processors / 4 + 1))
    # A GPU gives processes its time in turns: fifteen at once took longer than one after the other.
    [ "$jobs" -le 4 ] || jobs=4
    echo "$names" | xargs -n 1 -P "${JOBS:-$jobs}" ./run one
    summary | tee results/tests.txt
    for mark in results/tests/*.failed; do
        [ ! -e "$mark" ] || exit 1
    done
}

# Runs the golden tests that need the devices of this machine, and shows what they print.
golden() {
    unpack || exit 1
    status=0
    for program in tests/*.golden.test; do
        echo "$(basename "$program" .golden.test):"
        "$program" --ignored --nocapture --exact golden_kernels_are_those_of_this_machines_devices || status=1
    done
    exit $status
}

# Runs random safe programs, each process with two of PoCL's threads and a cache of its own.
hostile() {
    unpack || exit 1
    export CL_CACHE="${CL_CACHE:-$dir/caches/cl}"
    export CL_HOSTILE_PROGRAMS="${1:-10000}" CL_HOSTILE_SEED="${2:-1}" CL_HOSTILE_FIRST="${3:-0}"
    export CL_HOSTILE_JOBS="${JOBS:-$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 4)}"
    exec tests/cl-hostile.hostile.test --exact programs_agree_with_the_model --nocapture
}

usage() {
    sed -n '2,/^set/s/^# //p' "$0"
}

case "${1-}" in
    bench) shift && bench "$@" ;;
    # `tests` expects to run in the bundle's folder.
    test) cd "$dir" && shift && prepare && tests "$@" ;;
    golden) cd "$dir" && prepare && golden ;;
    hostile) cd "$dir" && shift && prepare && hostile "$@" ;;
    one)
        [ $# -eq 2 ] || { echo "\`one\` takes the name of a module of tests" >&2 && exit 2; }
        cd "$dir" && prepare && one "$2"
        ;;
    -h | --help | help) usage ;;
    *) usage >&2 && exit 2 ;;
esac
