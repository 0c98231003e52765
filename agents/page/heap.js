// SPDX-License-Identifier: MIT
// The page of a heap: suspects, dominator tree, treemap, histogram, paths from a root.
//
// data.nodes has six numbers for each object: class, whether it is the class itself,
// shallow and retained bytes, its dominator, its parent on a shortest path from a root.
// The first one is the root of roots; those from data.kept on are on paths only.  The
// dominator is the nearest that is here.  data.largest has for each class the object that
// retains most, 0 for none.
'use strict'
const data = JSON.parse(document.getElementById('data').textContent)
const $ = id => document.getElementById(id)
const status = text => { $('status').textContent = text }

function element(name, attributes, ...children) {
  const e = document.createElement(name)
  for (const key in attributes)
    if (key.startsWith('on')) e.addEventListener(key.slice(2), attributes[key])
    else e.setAttribute(key, attributes[key])
  e.append(...children)
  return e
}

const amount = bytes => {
  const size = Math.abs(bytes)
  if (size >= 1 << 30) return (bytes / (1 << 30)).toFixed(2) + ' GB'
  if (size >= 1 << 20) return (bytes / (1 << 20)).toFixed(1) + ' MB'
  if (size >= 1 << 10) return (bytes / 1024).toFixed(1) + ' kB'
  return bytes + ' B'
}
const percent = value => (data.bytes ? 100 * value / data.bytes : 0).toFixed(1) + ' %'
const count = number => number.toLocaleString('en')

const WIDTH = 6
const nodes = []
for (let i = 0; i * WIDTH < data.nodes.length; i++) {
  const n = data.nodes.slice(i * WIDTH, i * WIDTH + WIDTH)
  nodes.push({ index: i, name: i === 0 ? '(roots)' : (n[1] ? 'class ' : '') +
    data.classes[n[0]], shallow: n[2], retained: n[3], dominator: n[4], parent: n[5],
    label: data.labels[i], children: [], depth: 0 })
}
for (const node of nodes.slice(1, data.kept)) {
  const above = nodes[node.dominator]
  above.children.push(node)
  node.depth = above.depth + 1
}
for (const node of nodes) {
  node.children.sort((a, b) => b.retained - a.retained)
  const rest = node.retained - node.shallow -
    node.children.reduce((s, c) => s + c.retained, 0)
  if (node.index < data.kept && rest > 0 && node.children.length)
    node.children.push({ name: '(smaller objects)', shallow: rest, retained: rest,
      children: [], depth: node.depth + 1, index: -1 })
}
const root = nodes[0]

function describe(node) {
  return `${node.name}: retains ${amount(node.retained)}, ${percent(node.retained)} of ` +
    `all; itself ${amount(node.shallow)}`
}

// -- paths --

function pathTo(node) {
  const path = []
  let at = node
  while (at && at.index > 0) {
    path.unshift(at)
    if (at.parent === -2) {
      path.unshift(null)
      break
    }
    at = nodes[at.parent]
  }
  return path
}

const pathButton = (node, text) => element('button', { type: 'button', onclick: event => {
  event.stopPropagation()
  showPath(node)
  $('path').focus()
} }, text)

function showPath(node) {
  if (node.index <= 0) return
  $('path').hidden = false
  $('path-list').replaceChildren(...pathTo(node).map(n => element('li', {},
    n === null ? '(many more objects)' : n.label + ' \u2192 ' + n.name + ' (' +
      amount(n.retained) + ')')))
  status('Path to ' + describe(node))
}

// -- suspects --

// Where memory gathers: from a large object down, as long as one child has most of it.
function gatherings() {
  const found = []
  for (const top of root.children.filter(n => n.index > 0 &&
    n.retained >= 0.03 * data.bytes).slice(0, 10)) {
    let at = top
    while (at.children.length && at.children[0].index > 0 &&
      at.children[0].retained > 0.8 * at.retained) at = at.children[0]
    found.push(at)
  }
  return found
}

// What came since the earlier dump, by who holds it.
function growth(panel) {
  const { bytes, objects, rows, loaders } = data.growth
  const table = (label, list) => element('table', { 'aria-label': label },
    element('thead', {}, element('tr', {}, ...['what, and the path from a root', 'before',
      'now', 'bytes more', 'objects more'].map((text, i) =>
      element('th', { scope: 'col', class: i ? '' : 'name' }, text)))),
    element('tbody', {}, ...list.map(([name, path, before, now, more, size]) =>
      element('tr', {}, element('td', { class: 'name holder' }, element('b', {}, name),
        element('span', { class: 'dim' }, path)),
      ...[count(before), count(now), amount(size), count(more)].map(text =>
        element('td', {}, text))))))
  panel.append(element('h2', {}, 'Who holds more than before'),
    element('p', { class: 'dim' }, `Since ${data.compare}: ${amount(bytes)} and ` +
      `${count(objects)} objects more; a row has what came, with what it holds.`))
  panel.append(rows.length ? table('growth by holder', rows)
    : element('p', {}, 'Nothing holds more.'))
  if (!loaders.length) return
  panel.append(element('h2', {}, 'Class loaders that came'),
    element('p', { class: 'dim' }, 'Their classes go only with them.'),
    table('class loaders by holder', loaders))
}

function suspects() {
  const panel = $('panel-suspects')
  if (data.growth) growth(panel)
  const list = gatherings()
  panel.append(element('h2', {}, 'Objects that retain much'))
  if (!list.length) panel.append(element('p', {}, 'No object retains 3 % of the heap.'))
  for (const node of list) {
    const held = new Map()
    for (const c of node.children)
      held.set(c.name, (held.get(c.name) || 0) + c.retained)
    const most = [...held].sort((a, b) => b[1] - a[1])[0]
    if (most && most[0] === '(smaller objects)')
      most[0] = 'many small objects, whose classes the histogram has'
    panel.append(element('p', {}, pathButton(node, 'path'), ' ' + describe(node) +
      (most ? `; most of it in ${most[0]} (${amount(most[1])})` : '')))
  }
  if (!data.old) return
  const grown = rows().filter(r => r.change > 0).sort((a, b) => b.growth - a.growth)
  panel.append(element('h2', {}, 'Classes that grew since ' + data.compare))
  for (const r of grown.slice(0, 15))
    panel.append(element('p', {}, ...(r.largest ? [pathButton(r.largest, 'path'), ' '] : []),
      `${r.name}: ${count(r.change)} more ${r.change === 1 ? 'object' : 'objects'} ` +
      `(${count(r.before)} before, ${count(r.objects)} now), about ${amount(r.growth)}`))
  if (!grown.length) panel.append(element('p', {}, 'None.'))
}

// -- the dominator tree --

const share = value => {
  const cell = element('td', { class: 'share' }, percent(value))
  cell.style.setProperty('--w', data.bytes ? 100 * value / data.bytes : 0)
  return cell
}

function row(node) {
  const name = element('td', { class: 'name' }, node.name)
  const r = element('tr', { role: 'row', tabindex: '-1', 'aria-level': node.depth + 1 },
    name, element('td', {}, amount(node.retained)), share(node.retained),
    element('td', {}, amount(node.shallow)))
  name.style.setProperty('--d', node.depth)
  if (node.children.length) r.setAttribute('aria-expanded', 'false')
  r.node = node
  return r
}

function open(r, opens) {
  if (!r.hasAttribute('aria-expanded')) return
  if (r.node.next) {
    const list = rowsBelow(r.node.above, r.node.next)
    const focused = document.activeElement === r
    list[0].tabIndex = r.tabIndex
    r.replaceWith(...list)
    if (focused) list[0].focus()
    return
  }
  r.setAttribute('aria-expanded', String(opens))
  while (r.nextSibling && r.nextSibling.node.depth > r.node.depth) r.nextSibling.remove()
  if (opens) r.after(...rowsBelow(r.node, 0))
}

// The rows of a node's children: some, and one for the rest, which opens into more.
const BATCH = 200
function rowsBelow(node, from) {
  const list = node.children.slice(from, from + BATCH).map(row)
  const rest = node.children.slice(from + BATCH)
  if (rest.length) {
    const sum = { name: `(${count(rest.length)} more)`, children: [], index: -1,
      depth: node.depth + 1, above: node, next: from + BATCH,
      shallow: rest.reduce((s, c) => s + c.shallow, 0),
      retained: rest.reduce((s, c) => s + c.retained, 0) }
    const more = row(sum)
    more.setAttribute('aria-expanded', 'false')
    list.push(more)
  }
  return list
}

function dominatorTree() {
  const first = row(root)
  first.tabIndex = 0
  $('tree').append(first)
  open(first, true)
}

function treeKey(event) {
  const r = event.target.closest('tr')
  if (!r || !r.node) return
  let to
  const opened = r.getAttribute('aria-expanded')
  if (event.key === 'ArrowDown') to = r.nextSibling
  else if (event.key === 'ArrowUp') to = r.previousSibling
  else if (event.key === 'ArrowRight')
    if (opened === 'false') open(r, true)
    else to = r.nextSibling
  else if (event.key === 'ArrowLeft')
    if (opened === 'true') open(r, false)
    else for (to = r.previousSibling; to && to.node.depth >= r.node.depth;)
      to = to.previousSibling
  else if (event.key === 'Enter' || event.key === ' ') open(r, opened !== 'true')
  else if (event.key === 'p' || event.key === 'P') showPath(r.node)
  else return
  event.preventDefault()
  if (to) {
    r.tabIndex = -1
    to.tabIndex = 0
    to.focus()
    status(describe(to.node))
  }
}

// -- the treemap: rows of boxes, as square as they can be --

const hue = name => {
  let h = 7
  for (let i = 0; i < name.length; i++) h = (h * 31 + name.charCodeAt(i)) % 3600
  return h / 10
}

function squares(items, x, y, w, h, put) {
  let whole = items.reduce((s, n) => s + n.retained, 0)
  for (let i = 0; i < items.length && whole > 0 && w > 0 && h > 0;) {
    const side = Math.min(w, h), scale = w * h / whole
    let sum = 0, worst = Infinity, next = i
    for (; next < items.length; next++) {
      const more = (sum + items[next].retained) * scale, depth = more / side
      const a = items[next].retained * scale / depth, b = items[i].retained * scale / depth
      const ratio = Math.max(depth / a, b / depth, a / depth, depth / b)
      if (ratio > worst) break
      worst = ratio
      sum += items[next].retained
    }
    const depth = sum * scale / side
    let at = 0
    for (; i < next; i++) {
      const length = items[i].retained * scale / depth
      if (w >= h) put(items[i], x, y + at, depth, length)
      else put(items[i], x + at, y, length, depth)
      at += length
    }
    if (w >= h) { x += depth; w -= depth } else { y += depth; h -= depth }
    whole -= sum
  }
}

let inside = root
function treemap(takesFocus) {
  const box = $('map'), boxes = []
  box.textContent = ''
  squares(inside.children, 0, 0, box.clientWidth || 1000, box.clientHeight || 500,
    (node, x, y, w, h) => {
      if (w < 3 || h < 3) return
      const d = element('div', { role: 'treeitem', tabindex: boxes.length ? '-1' : '0',
        'aria-label': describe(node), title: describe(node) },
        w > 40 && h > 15 ? `${node.name} ${amount(node.retained)}` : '')
      d.style.cssText = `left:${x}px;top:${y}px;width:${w}px;height:${h}px;` +
        `--h:${hue(node.name)}`
      d.node = node
      boxes.push(d)
    })
  box.append(...boxes)
  status('In ' + describe(inside))
  if (takesFocus && boxes.length) boxes[0].focus()
}

function enter(node) {
  if (node.children.length) {
    inside = node
    treemap(true)
  } else showPath(node)
}

function mapKey(event) {
  const d = event.target
  if (event.key === 'Enter' && d.node) enter(d.node)
  else if (event.key === 'Escape' && inside !== root) {
    inside = nodes[inside.dominator]
    treemap(true)
  } else if (event.key === 'p' && d.node) showPath(d.node)
  else {
    const to = { ArrowRight: d.nextSibling, ArrowDown: d.nextSibling,
      ArrowLeft: d.previousSibling, ArrowUp: d.previousSibling }[event.key]
    if (!to) return
    d.tabIndex = -1
    to.tabIndex = 0
    to.focus()
    status(describe(to.node))
  }
  event.preventDefault()
}

// -- the histogram --

function rows() {
  const list = []
  data.classes.forEach((name, i) => {
    const objects = data.histogram[2 * i], bytes = data.histogram[2 * i + 1]
    const before = data.old ? data.old[i] : 0
    if (!objects && !before) return
    const change = objects - before
    list.push({ name, objects, bytes, before, change, largest: nodes[data.largest[i] || -1],
      growth: objects ? change * bytes / objects : 0 })
  })
  return list
}

const CLASSES = 1000
let sorted = { by: 'bytes', down: true }
function histogram() {
  const wanted = $('filter').value.toLowerCase()
  const list = rows().filter(r => r.name.toLowerCase().includes(wanted))
  list.sort((a, b) => {
    const x = a[sorted.by], y = b[sorted.by], order = x < y ? -1 : x > y ? 1 : 0
    return sorted.down ? -order : order
  })
  $('histogram-note').textContent =
    list.length > CLASSES ? `${count(CLASSES)} of ${count(list.length)} classes` : ''
  $('histogram').replaceChildren(...list.slice(0, CLASSES).map(r => element('tr', {},
    element('td', { class: 'name' }, ...(r.largest
      ? [pathButton(r.largest, 'path'), ' '] : []), r.name),
    element('td', {}, count(r.objects)),
    element('td', {}, amount(r.bytes)), share(r.bytes),
    ...(data.old ? [element('td', {}, count(r.before)),
      element('td', {}, (r.change > 0 ? '+' : '') + count(r.change))] : []))))
  for (const head of document.querySelectorAll('#histogram-head th'))
    if (head.dataset.by === sorted.by)
      head.setAttribute('aria-sort', sorted.down ? 'descending' : 'ascending')
    else head.removeAttribute('aria-sort')
}

// -- the page --

const views = { suspects, tree: dominatorTree, map: () => treemap(false), histogram }
const drawn = new Set()
function show(view) {
  for (const tab of document.querySelectorAll('[role=tab]')) {
    const chosen = tab.dataset.view === view
    tab.setAttribute('aria-selected', String(chosen))
    tab.tabIndex = chosen ? 0 : -1
    $('panel-' + tab.dataset.view).hidden = !chosen
  }
  if (!drawn.has(view)) views[view]()
  drawn.add(view)
}

$('about').textContent = `${amount(data.bytes)} in ${count(data.objects)} objects; ` +
  `${count(data.weak)} more only by soft, weak or phantom references`
const heads = [['name', 'class'], ['objects', 'objects'], ['bytes', 'bytes'],
  ['bytes', '%'], ...(data.old ? [['before', 'objects before'], ['change', 'change']] : [])]
$('histogram-head').append(element('tr', {}, ...heads.map(([by, text], i) => {
  const head = element('th', { scope: 'col', class: i ? '' : 'name' },
    text === '%' ? text : element('button', { type: 'button', onclick: () => {
      sorted = { by, down: sorted.by === by ? !sorted.down : by !== 'name' }
      histogram()
    } }, text))
  if (text !== '%') head.dataset.by = by
  return head
})))
$('filter').addEventListener('input', histogram)
$('tree').addEventListener('keydown', treeKey)
$('tree').addEventListener('click', e => {
  const r = e.target.closest('tr')
  if (!r || !r.node) return
  open(r, r.getAttribute('aria-expanded') !== 'true')
  showPath(r.node)
})
$('map').addEventListener('keydown', mapKey)
$('map').addEventListener('click', e => { if (e.target.node) enter(e.target.node) })
const tabs = [...document.querySelectorAll('[role=tab]')]
for (const tab of tabs) {
  tab.addEventListener('click', () => show(tab.dataset.view))
  tab.addEventListener('keydown', e => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[e.key]
    const to = step && tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length]
    if (to) { to.click(); to.focus() }
  })
}
show('suspects')
