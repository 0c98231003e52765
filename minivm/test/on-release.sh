# SPDX-License-Identifier: MIT
# What TEST-on-RELEASE.t consists of, in whichever folder: runs TEST.t of the same folder
# on the JDK of that release (JDK21, JDK25), with a working folder of its own.  Both names
# come from the script's own.  Where there is no such JDK, or TEST.t runs on it anyway,
# the test is skipped.
test_name=$(basename "$0" .t)
on_release=${test_name##*-on-}
eval "on_jdk=\$JDK$on_release"
if [ -z "$on_jdk" ]; then
    echo "1..0 # SKIP no JDK $on_release was found"
    exit 0
fi
if [ "$(readlink -f "$on_jdk")" = "$(readlink -f "${JDK17:-/none}")" ]; then
    echo "1..0 # SKIP ${test_name%-on-*}.t runs on JDK $on_release already"
    exit 0
fi
JDK17=$on_jdk JAVA_HOME=$on_jdk work_name=$test_name
export JDK17 JAVA_HOME work_name
exec "$(dirname "$0")/${test_name%-on-*}.t" "$@"
