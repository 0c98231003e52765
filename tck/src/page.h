/* SPDX-License-Identifier: MIT */
/*
 * tck/src/page.h -- the looks of the page that html.c writes, and the script that filters
 * it.  Both are part of the page, which loads nothing.
 *
 * A square carries in its class the state, and as data the class ("c"), the level ("l") and
 * what a reader has to know of it (its title).  The script hides the squares that do not
 * fit, then the rows and chapters that have none left, and lists the assertions in words,
 * since a title takes a mouse.  Without scripts the form stays hidden and all is shown.
 */
#ifndef TCK_SRC_PAGE_H
#define TCK_SRC_PAGE_H

static const char STYLE[] =
    "body{font:14px/1.4 system-ui,sans-serif;margin:2rem auto;max-width:82rem;"
    "padding:0 1rem;color:#1c2330;background:#fbfbfd}"
    "h1{font-size:1.5rem;margin:0 0 .2rem}h2{font-size:1.05rem;margin:2rem 0 .4rem}"
    "table{border-collapse:collapse;width:100%}.matrix{table-layout:fixed}"
    "th,td{text-align:left;vertical-align:top;padding:.25rem .6rem;"
    "border-bottom:1px solid #e3e6ee}thead th{position:sticky;top:0;background:#fbfbfd;"
    "font-weight:600;color:#5a6478;z-index:1}"
    "tbody th{font-weight:500}li code{overflow-wrap:anywhere}"
    ".matrix tbody th{font-size:.84em;overflow-wrap:anywhere}"
    "i{display:inline-block;width:.62rem;height:.62rem;margin:1px;border-radius:2px;"
    "background:#c9ced9}i.p{background:#3a9d5d}"
    "i.f{background:#d4323c;border-radius:0;transform:rotate(45deg)}"
    "i.l{background:none;box-shadow:inset 0 0 0 2px #d4323c;border-radius:0;"
    "transform:rotate(45deg)}i.d{background:#e8a33d;border-radius:50%}"
    "i.k{background:none;box-shadow:inset 0 0 0 2px #e8a33d;border-radius:50%}"
    "i.u{background:#8e44ad}i.s{background:#c9ced9}"
    "i.n{background:none;outline:1px solid #d4323c}"
    ".vm{display:flex;flex-wrap:wrap}.vm+.vm{border-top:1px dotted #cfd4df;margin-top:2px;"
    "padding-top:2px}.sum td{font-variant-numeric:tabular-nums}"
    ".key span{margin-right:1.2rem}.bad{color:#d4323c;font-weight:600}"
    "@media(max-width:48rem){body{margin:1rem auto}.sum{display:block;overflow-x:auto}"
    ".matrix,.matrix tbody,.matrix tr,.matrix th,.matrix td{display:block}"
    ".matrix thead,.matrix td:empty{display:none}.matrix th,.matrix td{border:0;"
    "padding:.1rem .3rem}.matrix tr{border-bottom:1px solid #e3e6ee;padding:.3rem 0}"
    ".matrix td::before{content:attr(data-kind);color:#5a6478;font-size:.85em}}"
    "details{margin:.3rem 0}summary{cursor:pointer}code{font-size:.92em}"
    "@media(prefers-color-scheme:dark){body,thead th{background:#14171d;color:#dde2ec}"
    "th,td,.vm+.vm{border-color:#2a2f3a}thead th{color:#9aa5bb}i.s{background:#4a5160}"
    ".bad{color:#ff7b83}}"
    "[hidden]{display:none!important}"
    "#filter{display:flex;flex-wrap:wrap;gap:.4rem 1rem;align-items:end;margin:1rem 0}"
    "#filter label{display:grid;font-size:.85em;color:#5a6478}"
    "#filter input,#filter select,#filter button{font:inherit;font-size:14px;color:inherit;"
    "background:inherit;border:1px solid #9aa5bb;border-radius:4px;padding:.15rem .4rem}"
    "#filter input{width:20rem;max-width:90vw}:focus-visible{outline:2px solid #2f6fd0}"
    "#found{overflow-wrap:anywhere}#found i{margin-right:.4rem}"
    "@media(prefers-color-scheme:dark){#filter label,.matrix td::before{color:#9aa5bb}}";

/* The form's fields but for the options that the page itself has: chapters and levels. */
static const char FORM[] =
    "<form id=filter hidden>"
    "<label>Id or text<input id=words type=search></label>"
    "<label>Level<select id=level><option value=\"\">any</select></label>"
    "<label>Class<select id=class><option value=\"\">any<option>required<option>advised"
    "<option>inferred</select></label>"
    "<label>State<select id=state><option value=\"\">any"
    "<option value=fldkun>not passed<option value=flun>not as expected<option value=p>pass"
    "<option value=f>fail<option value=l>lack<option value=d>departure"
    "<option value=k>known lack<option value=u>unexpected pass<option value=s>skip"
    "<option value=n>not run</select></label>"
    "<label>Chapter<select id=chapter><option value=\"\">any</select></label>"
    "<button type=reset>Show all</button><output id=shown></output></form>"
    "<ol id=found hidden></ol>\n";

static const char SCRIPT[] =
    "(function(){'use strict';\n"
    "var $=function(id){return document.getElementById(id)},"
    "all=function(q,from){return Array.from((from||document).querySelectorAll(q))};\n"
    "var form=$('filter'),found=$('found'),chapters=all('section'),most=400;\n"
    "function add(select,value,text){var o=document.createElement('option');"
    "o.value=value;o.textContent=text;select.appendChild(o)}\n"
    "var levels={};all('i[data-l]').forEach(function(i){levels[i.dataset.l]=1});\n"
    "Object.keys(levels).sort(function(a,b){return a-b}).forEach(function(l){"
    "add($('level'),l,'since '+l)});\n"
    "chapters.forEach(function(s,n){add($('chapter'),String(n),"
    "s.querySelector('h2').textContent)});\n"
    "function fits(i,n,w){return(!$('level').value||i.dataset.l===$('level').value)"
    "&&(!$('class').value||i.dataset.c===$('class').value)"
    "&&(!$('state').value||$('state').value.indexOf(i.className)>=0)"
    "&&(!$('chapter').value||$('chapter').value===String(n))"
    "&&w.every(function(x){return i.title.toLowerCase().indexOf(x)>=0})}\n"
    "var vms=all('.sum tbody th').map(function(h){return h.textContent});\n"
    "function vm(i){var div=i.parentNode;return vms.length<2?'':"
    "vms[all('.vm',div.parentNode).indexOf(div)]+': '}\n"
    "function line(i){var li=document.createElement('li'),mark=document.createElement('i');"
    "mark.className=i.className;li.append(mark,vm(i)+i.title);found.appendChild(li)}\n"
    "function apply(){var w=$('words').value.toLowerCase().split(/\\s+/).filter(Boolean),"
    "any=w.length||$('level').value||$('class').value||$('state').value"
    "||$('chapter').value,count=0;\n"
    "found.textContent='';\n"
    "chapters.forEach(function(s,n){all('i[data-l]',s).forEach(function(i){"
    "i.hidden=!fits(i,n,w);if(!i.hidden&&any&&++count<=most)line(i)});\n"
    "all('tbody tr',s).forEach(function(r){r.hidden=!!any&&!r.querySelector("
    "'i[data-l]:not([hidden])')});\n"
    "s.hidden=!!any&&!s.querySelector('i[data-l]:not([hidden])')});\n"
    "found.hidden=!count;$('shown').textContent=!any?'':count+' marks'"
    "+(count>most?', the first '+most+' in words':'')}\n"
    "form.addEventListener('input',apply);\n"
    "form.addEventListener('submit',function(e){e.preventDefault()});\n"
    "form.addEventListener('reset',function(){setTimeout(apply)});\n"
    "form.hidden=false;apply()})();\n";

#endif
