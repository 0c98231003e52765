# SPDX-License-Identifier: MIT
# browser.sh -- for tests of pages: how a browser shows them, in the dark of no screen.
#
# browser PAGE [SCRIPT]: the page's elements as a browser has them after SCRIPT was run in
# it, in `dom`; what the script passes to tell() stands there as lines of <output>.  An
# error of the page's own program is told, too.  False when there is no such browser.
browser_program=$(command -v chromium || command -v chromium-browser ||
    command -v google-chrome) || browser_program=

browser() # PAGE [SCRIPT]
{
    [ -n "$browser_program" ] || return 1
    {
        # Before everything, so that no error is missed.
        printf '<script>const told = []; const tell = t => told.push(t)\n'
        printf 'addEventListener("error", e => tell("error " + e.message))</script>\n'
        cat "$1"
        printf '<script>\ntry {\n%s\n} catch (e) { tell("error " + e) }\n' "${2-}"
        printf 'const out = document.createElement("output")\n'
        printf 'out.textContent = "\\n" + told.join("\\n") + "\\n"\n'
        printf 'document.body.append(out)\n</script>\n'
    } >shown.html
    timeout 300 "$browser_program" --headless --no-sandbox --disable-gpu \
        --user-data-dir="$PWD/browser" --dump-dom "file://$PWD/shown.html" >dom 2>dom.err
}

# What the script told, a line each.
browser_told()
{
    sed -n '/<output>/,/<\/output>/p' dom | sed '1d; /<\/output>/d'
}
