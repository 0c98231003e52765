# SPDX-License-Identifier: MIT
# browser.sh -- for tests of pages: how a browser shows them, in the dark of no screen.
#
# browser PAGE [SCRIPT]: the page's elements as a browser has them after SCRIPT was run in
# it, in `dom`; what the script passes to tell() stands there as lines of <output>.  An
# error of the page's own program is told, too.  False when there is no such browser.
# With browser_scheme=dark the page is shown as to those who prefer that.
browser_scheme=light
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
        "--blink-settings=preferredColorScheme=$([ "$browser_scheme" = dark ]; echo $?)" \
        --user-data-dir="$PWD/browser" --dump-dom "file://$PWD/shown.html" >dom 2>dom.err
}

# What the script told, a line each.
browser_told()
{
    sed -n '/<output>/,/<\/output>/p' dom | sed '1d; /<\/output>/d'
}

# browser_contrast PAGE: is each text of each of the page's views to be told from what is
# behind it, in light and in dark (WCAG 2, 1.4.3: 4.5 to 1)?  `contrast` has those that are
# not, with their ratios, and how many were looked at.
browser_contrast() # PAGE
{
    : >contrast
    for browser_scheme in light dark; do
        browser "$1" '
            const light = c => {
                const [r, g, b] = c.map(v => v / 255 <= 0.04045 ? v / 255 / 12.92
                    : ((v / 255 + 0.055) / 1.055) ** 2.4)
                return 0.2126 * r + 0.7152 * g + 0.0722 * b
            }
            const parts = colour => colour.match(/[0-9.]+/g).map(Number)
            const behind = e => {
                const c = e ? parts(getComputedStyle(e).backgroundColor) : [255, 255, 255]
                return c.length > 3 && c[3] === 0 ? behind(e.parentElement) : c.slice(0, 3)
            }
            const ratio = e => {
                const a = light(parts(getComputedStyle(e).color).slice(0, 3))
                const b = light(behind(e))
                return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
            }
            const bad = new Set()
            let seen = 0
            const look = () => {
                for (const e of document.querySelectorAll("body *"))
                    if (e.checkVisibility() && e.getClientRects().length > 0 &&
                        [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())) {
                        seen++
                        if (ratio(e) < 4.5)
                            bad.add(ratio(e).toFixed(1) + " " + e.tagName + " " +
                                e.textContent.trim().slice(0, 30))
                    }
            }
            look()
            for (const tab of document.querySelectorAll("[role=tab]")) {
                tab.click()
                look()
            }
            bad.forEach(tell)
            tell("seen " + (seen > 9))'
        browser_told | sed "s/^/$browser_scheme: /" >>contrast
    done
    browser_scheme=light
    [ "$(cat contrast)" = 'light: seen true
dark: seen true' ]
}
