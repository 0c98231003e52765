#!/bin/sh
# SPDX-License-Identifier: MIT
# speedscope's own package: traces are valid by its schema, checked by an independent
# validator, and its page shows them in a browser without a screen.
. "${top_srcdir:?}/agents/tracer/test/lib.sh"

skip_all() # REASON
{
    echo "1..0 # SKIP $1"
    exit 0
}

command -v npm >/dev/null || skip_all 'no npm found'
python3 -c 'import jsonschema' 2>/dev/null || skip_all 'no python3 with jsonschema found'
timeout 120 npm pack --silent speedscope >npm.out 2>&1 && tar xzf speedscope-*.tgz ||
    skip_all 'npm cannot get the package speedscope'

# valid FILE: by the schema?
valid()
{
    python3 - package/dist/release/file-format-schema.json "$1" >valid.out 2>&1 <<'END'
import json, sys
import jsonschema
schema, document = (json.load(open(name)) for name in sys.argv[1:])
jsonschema.Draft7Validator.check_schema(schema)
jsonschema.Draft7Validator(schema).validate(document)
END
}

# shown FILE TEXT...: does the page name the texts once it has loaded the file?  What it
# draws is on a canvas; the file's name and the threads stand in its title and text,
# which know nothing of them before.
shown()
{
    cat >show.js <<END
speedscope.loadFileFromBase64("$1", "$(base64 -w 0 "$1")")
END
    shown_file=$1
    shift
    timeout 120 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
        --enable-unsafe-swiftshader --allow-file-access-from-files \
        --user-data-dir="$PWD/chromium" --virtual-time-budget=10000 --dump-dom \
        "file://$PWD/package/dist/release/index.html#localProfilePath=$PWD/show.js" \
        >"$shown_file.html" 2>chromium.err || return 1
    for text; do
        grep -qF -e "$text" "$shown_file.html" || return 1
    done
}

for side in "JDK 17" minivm; do
    case $side in
    minivm) use minivm "$build/minivm/minivm" ;;
    *) use "JDK 17" "$JDK17/bin/java" ;;
    esac
    run 'format=speedscope,file=calls.json' Calls
    valid calls.json
    point $? "a trace is valid by the schema of speedscope" valid.out err
    sed 's/"type":"O"/"type":"X"/' calls.json >bad.json
    ! valid bad.json && grep -q "'X'" valid.out
    point $? "a wrong one is not" valid.out
    if command -v chromium >/dev/null; then
        shown calls.json '49 calls, 0 lost, 4 threads' '(1/4)' '>worker b<'
        point $? "the page of speedscope shows it" calls.json.html chromium.err
    else
        skip "$vm: the page of speedscope shows it" 'no chromium found'
    fi
done
echo "1..$count"
