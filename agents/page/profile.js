// SPDX-License-Identifier: MIT
// The page of a profile: flame graph, call tree, hot methods, timeline.
//
// A thread's nodes stand in one array in the order of a walk, `columns` numbers each:
// depth from 1, method, own value, calls, calls that an exception ended.  Of a comparison
// they are depth, method, the own value before, the own value after.  The values of
// callees are added up here.
'use strict'
const data = JSON.parse(document.getElementById('data').textContent)
const compared = data.compare !== undefined
const sampled = data.unit === 'samples'
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

// -- values --

const amount = value =>
  data.unit === 'ns' ? time(value) : (count(value) + ' ' + data.unit).trim()
function time(value) {
  const size = Math.abs(value)
  if (size >= 1e9) return (value / 1e9).toFixed(2) + ' s'
  if (size >= 1e6) return (value / 1e6).toFixed(2) + ' ms'
  if (size >= 1e3) return (value / 1e3).toFixed(1) + ' \u00b5s'
  return value + ' ns'
}
const count = number => number.toLocaleString('en')
// In a table whose head tells the unit of samples.
const inTable = value => sampled ? count(value) : amount(value)
const percent = (value, whole) =>
  whole === 0 ? '0 %' : (100 * value / whole).toFixed(2) + ' %'
const signed = (value, text) => (value > 0 ? '+' : '') + text
const hue = name => {
  let h = 7
  const head = name.slice(0, name.lastIndexOf('.', name.indexOf('(') < 0 ? name.length
    : name.indexOf('(')))
  for (let i = 0; i < head.length; i++) h = (h * 31 + head.charCodeAt(i)) % 3600
  return h / 10
}

// -- trees --

const root = name => ({ name, method: -1, own: 0, before: 0, calls: 0, thrown: 0,
  total: 0, totalBefore: 0, children: [], up: null, depth: 0 })

function child(parent, method, index) {
  let node = index && index.get(method)
  if (node) return node
  node = root(data.methods[method])
  node.method = method
  node.up = parent
  node.depth = parent.depth + 1
  parent.children.push(node)
  if (index) index.set(method, node)
  return node
}

function addThread(tree, thread, merges) {
  const path = [tree]
  const n = thread.nodes, width = data.columns
  for (let i = 0; i < n.length; i += width) {
    const above = path[n[i] - 1]
    const index = merges ? above.index || (above.index = new Map()) : null
    const node = child(above, n[i + 1], index)
    if (compared) {
      node.before += n[i + 2]
      node.own += n[i + 3]
    } else {
      node.own += n[i + 2]
      node.calls += n[i + 3]
      node.thrown += n[i + 4]
    }
    path[n[i]] = node
  }
}

function addUp(tree) {
  const order = [tree]
  for (let i = 0; i < order.length; i++) for (const c of order[i].children) order.push(c)
  for (let i = order.length; i-- > 0;) {
    const node = order[i]
    node.total += node.own
    node.totalBefore += node.before
    node.children.sort((a, b) => b.total + b.totalBefore - a.total - a.totalBefore)
    if (node.up) {
      node.up.total += node.total
      node.up.totalBefore += node.totalBefore
    }
  }
  return order
}

const trees = new Map()
let tree, nodes, zoomed, term = ''
function choose(which) {
  if (!trees.has(which)) {
    const made = root(which < 0 ? 'all threads' : data.threads[which].name)
    data.threads.forEach((thread, i) => {
      if (which < 0 || i === which) addThread(made, thread, which < 0)
    })
    trees.set(which, { tree: made, nodes: addUp(made) })
  }
  ({ tree, nodes } = trees.get(which))
  zoomed = tree
  drawn.clear()
  show()
}

// What a node weighs in the picture: of a comparison the larger of both runs.
const weight = node => compared ? Math.max(node.total, node.totalBefore) : node.total

function describe(node) {
  let text = node.name + ': '
  if (compared)
    text += amount(node.totalBefore) + ' before, ' + amount(node.total) + ' after, ' +
      signed(node.total - node.totalBefore, amount(node.total - node.totalBefore)) +
      ' (' + percent(node.total - node.totalBefore, tree.totalBefore) + ' of all)'
  else
    text += amount(node.total) + ', ' + percent(node.total, tree.total) + ' of all; own ' +
      amount(node.own) + ', ' + percent(node.own, tree.total)
  if (node.calls && !sampled) text += '; ' + count(node.calls) + ' calls'
  if (node.thrown) text += ', ' + node.thrown + ' ended by an exception'
  return text
}

// Names repeat, so each is compared once.
let found = new Map()
function hits(node) {
  if (term === '') return false
  let hit = found.get(node.name)
  if (hit === undefined)
    found.set(node.name, hit = node.name.toLowerCase().includes(term))
  return hit
}

// -- the flame graph: the outermost call on top --

// A browser draws some thousand boxes at once; of a larger tree those that are widest.
const ROW = 18, BOXES = 5000, ABOVE = 200
function layout(width) {
  const places = [[zoomed, 0, width]]
  for (let i = 0; i < places.length; i++) {
    const [node, x, w] = places[i]
    // Callees of a comparison may weigh more than their caller.
    const sum = node.children.reduce((s, c) => s + weight(c), 0)
    const scale = w / Math.max(weight(node), sum, 1)
    let at = x
    for (const c of node.children) {
      const part = weight(c) * scale
      if (part >= 0.4) places.push([c, at, part])
      at += part
    }
  }
  $('flame-note').textContent = places.length <= BOXES ? '' :
    `The ${count(BOXES)} widest of ${count(places.length)} calls; zoom in for the others.`
  if (places.length <= BOXES) return places
  // A caller is as wide as its callees and stands before them, and a sort keeps that.
  return places.sort((a, b) => b[2] - a[2]).slice(0, BOXES)
}

// Where a method's name is too long, its class without the package tells most.
const LETTER = 6.5
function short(name) {
  const end = name.indexOf('(')
  return end < 0 ? name : name.slice(0, end).split('.').slice(-2).join('.')
}

function flame() {
  const box = $('flame'), width = box.clientWidth || 1000
  const boxes = [], above = []
  let deepest = 0
  box.textContent = ''
  for (let up = zoomed.up; up && above.length < ABOVE; up = up.up) above.push(up)
  const top = zoomed.depth - above.length
  const put = (node, x, w, extra) => {
    const text = describe(node)
    const d = element('div', { role: 'treeitem', tabindex: '-1', 'aria-level':
      node.depth + 1, 'aria-label': text, title: text })
    d.style.cssText = `left:${x}px;width:${Math.max(w, 1)}px;` +
      `top:${(node.depth - top) * ROW}px;--h:${hue(node.name)}`
    if (compared) {
      const change = node.total - node.totalBefore, whole = Math.max(weight(node), 1)
      d.className = change > 0 ? 'more' : 'less'
      d.style.setProperty('--s', Math.round(85 * Math.abs(change) / whole) + '%')
    }
    if (extra) d.classList.add(extra)
    if (hits(node)) d.classList.add('hit')
    if (w > 24) d.textContent = node.name.length * LETTER < w ? node.name : short(node.name)
    d.node = node
    boxes.push(d)
    deepest = Math.max(deepest, node.depth - top)
  }
  for (const up of above) put(up, 0, width, 'above')
  for (const [node, x, w] of layout(width)) put(node, x, w)
  box.append(...boxes)
  box.style.height = (deepest + 1) * ROW + 2 + 'px'
  const focus = boxes.find(d => d.node === zoomed)
  if (focus) focus.tabIndex = 0
}

function zoom(node, takesFocus) {
  zoomed = node
  flame()
  const d = [...$('flame').children].find(e => e.node === node)
  if (d && takesFocus) d.focus()
  status('Zoomed to ' + describe(node))
}

function flameKey(event) {
  const node = event.target.node
  if (!node) return
  const near = list => list.map(n => [...$('flame').children].find(e => e.node === n))
    .find(e => e)
  const beside = node.up ? node.up.children : [node]
  const at = beside.indexOf(node)
  let to
  if (event.key === 'ArrowDown') to = near(node.children)
  else if (event.key === 'ArrowUp') to = node.up && near([node.up])
  else if (event.key === 'ArrowRight') to = near(beside.slice(at + 1))
  else if (event.key === 'ArrowLeft') to = near(beside.slice(0, at).reverse())
  else if (event.key === 'Enter' || event.key === ' ') zoom(node, true)
  else if (event.key === 'Escape') zoom(tree, true)
  else return
  event.preventDefault()
  if (to) {
    event.target.tabIndex = -1
    to.tabIndex = 0
    to.focus()
  }
}

// -- tables --

const share = (value, whole) => {
  const cell = element('td', { class: 'share' }, percent(value, whole))
  cell.style.setProperty('--w', whole > 0 ? Math.max(0, 100 * value / whole) : 0)
  return cell
}
const cell = text => element('td', {}, text)

function cells(node) {
  if (compared)
    return [cell(inTable(node.totalBefore)), cell(inTable(node.total)),
      cell(signed(node.total - node.totalBefore, inTable(node.total - node.totalBefore))),
      share(Math.abs(node.total - node.totalBefore), tree.totalBefore)]
  const list = [cell(inTable(node.total)), share(node.total, tree.total),
    cell(inTable(node.own)), share(node.own, tree.total)]
  // A sample's stack may have a method twice, so it has no calls.
  return sampled ? list : [...list, cell(count(node.calls)), cell(String(node.thrown))]
}

function row(node) {
  const name = element('td', { class: 'name' }, node.name)
  const r = element('tr', { role: 'row', 'aria-level': node.depth + 1, tabindex: '-1' },
    name, ...cells(node))
  name.style.setProperty('--d', node.depth)
  if (node.children.length) r.setAttribute('aria-expanded', 'false')
  r.node = node
  return r
}

function open(r, opens) {
  if (!r.hasAttribute('aria-expanded')) return
  const depth = r.node.depth
  if (r.next) {
    const list = rows(r.node.up, r.next)
    const focused = document.activeElement === r
    list[0].tabIndex = r.tabIndex
    r.replaceWith(...list)
    if (focused) list[0].focus()
    return
  }
  r.setAttribute('aria-expanded', String(opens))
  while (r.nextSibling && r.nextSibling.node.depth > depth) r.nextSibling.remove()
  if (opens) r.after(...rows(r.node, 0))
}

// The rows of a node's children: some, and one for the rest, which opens into more.
const BATCH = 200
function rows(node, from) {
  const list = node.children.slice(from, from + BATCH).map(row)
  const rest = node.children.slice(from + BATCH)
  if (rest.length) {
    const sum = root(`${count(rest.length)} more`)
    sum.depth = node.depth + 1
    sum.up = node
    for (const c of rest)
      for (const key of ['own', 'before', 'calls', 'thrown', 'total', 'totalBefore'])
        sum[key] += c[key]
    const more = row(sum)
    more.setAttribute('aria-expanded', 'false')
    more.next = from + BATCH
    list.push(more)
  }
  return list
}

function callTree() {
  const body = $('tree')
  body.textContent = ''
  let first = row(tree)
  first.tabIndex = 0
  body.append(first)
  // As far as one call has nearly all of it.
  for (let r = first; r && r.node && r.node.children.length; r = r.nextSibling) {
    open(r, true)
    if (weight(r.node.children[0]) < 0.6 * weight(tree)) break
  }
}

function treeKey(event) {
  const r = event.target.closest('tr')
  let to
  if (!r || !r.node) return
  if (event.key === 'ArrowDown') to = r.nextSibling
  else if (event.key === 'ArrowUp') to = r.previousSibling
  else if (event.key === 'ArrowRight')
    if (r.getAttribute('aria-expanded') === 'false') open(r, true)
    else to = r.nextSibling
  else if (event.key === 'ArrowLeft')
    if (r.getAttribute('aria-expanded') === 'true') open(r, false)
    else for (to = r.previousSibling; to && to.node !== r.node.up;) to = to.previousSibling
  else if (event.key === 'Enter' || event.key === ' ')
    open(r, r.getAttribute('aria-expanded') !== 'true')
  else return
  event.preventDefault()
  if (to) {
    r.tabIndex = -1
    to.tabIndex = 0
    to.focus()
    status(describe(to.node))
  }
}

// Each method once.  What a method calls of itself is in its total already.
function hotMethods() {
  const sums = new Map()
  for (const node of nodes) {
    if (node === tree) continue
    let s = sums.get(node.method)
    if (!s) sums.set(node.method, s = Object.assign(root(node.name), { depth: 0 }))
    s.own += node.own
    s.before += node.before
    s.calls += node.calls
    s.thrown += node.thrown
    let up = node.up
    while (up && up.method !== node.method) up = up.up
    if (!up) {
      s.total += node.total
      s.totalBefore += node.totalBefore
    }
  }
  return [...sums.values()]
}

let sorted = { by: compared ? 'change' : 'own', down: true }
const keys = { name: s => s.name, total: s => s.total, own: s => s.own,
  calls: s => s.calls, thrown: s => s.thrown, before: s => s.totalBefore,
  change: s => Math.abs(s.total - s.totalBefore) }
const LIMIT = 1000
function hotTable() {
  const key = keys[sorted.by], list = hotMethods().filter(s => term === '' || hits(s))
  list.sort((a, b) => {
    const x = key(a), y = key(b), order = x < y ? -1 : x > y ? 1 : 0
    return sorted.down ? -order : order
  })
  $('hot').replaceChildren(...list.slice(0, LIMIT).map(s => element('tr', {},
    element('td', { class: 'name' }, s.name), ...cells(s))))
  $('hot-note').textContent = list.length > LIMIT ? `${LIMIT} of ${list.length} methods` : ''
  for (const head of document.querySelectorAll('#hot-table th'))
    if (head.dataset.by === sorted.by)
      head.setAttribute('aria-sort', sorted.down ? 'descending' : 'ascending')
    else head.removeAttribute('aria-sort')
}

// -- the timeline --

// A canvas for each of thousands of threads would take a browser's memory.
const LANES = 50
const busyWhere = sampled ? 'met running in' : 'in traced calls'
function lanes() {
  const style = getComputedStyle(document.documentElement)
  const bar = style.getPropertyValue('--bar'), mark = style.getPropertyValue('--mark')
  const most = data.threads.reduce((m, t) => Math.max(m, ...t.rate), 1)
  const from = $('lanes').childElementCount, rest = data.threads.length - from - LANES
  $('more-lanes').hidden = rest <= 0
  $('more-lanes').textContent = `${count(rest)} more threads`
  $('lanes').append(...data.threads.slice(from, from + LANES).map(thread => {
    const canvas = element('canvas', { tabindex: '0', role: 'img', 'aria-label':
      `${thread.name}: ${busyWhere} ` + percent(thread.busy.reduce((a, b) => a + b, 0),
        data.end) + ' of the time' })
    const slots = Math.floor(data.end / data.bucket) + 1
    const ratio = window.devicePixelRatio || 1
    let at = 0
    canvas.width = Math.max(slots, 1000) * ratio
    canvas.height = 26 * ratio
    const c = canvas.getContext('2d'), w = canvas.width / slots
    const draw = () => {
      c.clearRect(0, 0, canvas.width, canvas.height)
      // Behind the last number of a thread nothing was recorded.
      for (let i = 0; i < thread.busy.length; i++) {
        const busy = thread.busy[i] / data.bucket
        c.fillStyle = bar
        c.fillRect(i * w, canvas.height * (1 - busy), w + 0.5, canvas.height * busy)
        const rate = thread.rate[i] / most
        c.fillStyle = mark
        c.fillRect(i * w, canvas.height * (1 - rate), w + 0.5, 2 * ratio)
      }
      if (document.activeElement === canvas) c.strokeRect(at * w, 0, w, canvas.height)
    }
    const tell = i => {
      at = Math.max(0, Math.min(slots - 1, i))
      status(`${thread.name}, from ${time(at * data.bucket)}: ${busyWhere} ` +
        `${percent(thread.busy[at] || 0, data.bucket)} of the time, ` +
        `${count(thread.rate[at] || 0)} ${data.rate}`)
      draw()
    }
    canvas.addEventListener('mousemove', e =>
      tell(Math.floor(e.offsetX / canvas.clientWidth * slots)))
    canvas.addEventListener('focus', () => tell(at))
    canvas.addEventListener('blur', draw)
    canvas.addEventListener('keydown', e => {
      if (e.key === 'ArrowRight') tell(at + 1)
      else if (e.key === 'ArrowLeft') tell(at - 1)
      else return
      e.preventDefault()
    })
    draw()
    return element('div', { class: 'lane' },
      element('span', { title: thread.name }, thread.name), canvas)
  }))
}

// It is of all threads, whatever is searched, so it is drawn once.
function timeline() {
  $('time-note').textContent = sampled
    ? 'Filled: the part of the time in which it was met running. Line: how many samples.'
    : 'Filled: the part of the time in traced calls. Line: how many began.'
  if (!$('lanes').firstChild) lanes()
}

// -- the page --

const views = { flame, tree: callTree, hot: hotTable, time: timeline }
const drawn = new Set()
let view = 'flame'
function show() {
  for (const tab of document.querySelectorAll('[role=tab]')) {
    const chosen = tab.dataset.view === view
    tab.setAttribute('aria-selected', String(chosen))
    tab.tabIndex = chosen ? 0 : -1
    $('panel-' + tab.dataset.view).hidden = !chosen
  }
  if (!drawn.has(view)) views[view]()
  drawn.add(view)
}

function search(text) {
  term = text.trim().toLowerCase()
  found = new Map()
  // A caller comes before its callees in `nodes`; what it has counts once.
  let sum = 0
  for (const node of nodes) {
    const inside = node.up !== null && node.up.counted
    node.counted = inside || hits(node)
    if (node.counted && !inside) sum += node.total
  }
  drawn.clear()
  show()
  status(term ? `${percent(sum, tree.total)} of all is in calls of what matches` : '')
}

function columns(id, sortable) {
  const list = compared ? [['before', 'before'], ['total', 'after'], ['change', 'change'],
    [null, '% of all']]
    : sampled ? [['total', 'samples'], [null, '%'], ['own', 'own'], [null, '%']]
    : [['total', 'total'], [null, '%'], ['own', 'own'], [null, '%'], ['calls', data.rate],
      ['thrown', 'thrown']]
  $(id).append(element('tr', {}, ...[['name', 'method'], ...list].map(([by, text], i) => {
    const head = element('th', { scope: 'col', class: i ? '' : 'name' })
    if (by && sortable) {
      head.dataset.by = by
      head.append(element('button', { onclick: () => {
        sorted = { by, down: sorted.by === by ? !sorted.down : by !== 'name' }
        hotTable()
      } }, text))
    } else head.append(text)
    return head
  })))
}

function start() {
  $('title').textContent = document.title = data.title
  $('about').textContent = data.about
  columns('tree-head', false)
  columns('hot-head', true)
  if (data.threads.length > 1)
    $('thread').append(element('option', { value: '-1' }, 'all threads'))
  data.threads.forEach((thread, i) =>
    $('thread').append(element('option', { value: String(i) }, thread.name)))
  $('thread').addEventListener('change', e => choose(Number(e.target.value)))
  $('search').addEventListener('input', e => search(e.target.value))
  $('more-lanes').addEventListener('click', lanes)
  $('reset').addEventListener('click', () => zoom(tree, false))
  $('flame').addEventListener('keydown', flameKey)
  $('flame').addEventListener('click', e => {
    if (e.target.node) zoom(e.target.node, true)
  })
  $('flame').addEventListener('mouseover', e => {
    if (e.target.node) status(describe(e.target.node))
  })
  $('flame').addEventListener('focusin', e => {
    if (e.target.node) status(describe(e.target.node))
  })
  $('tree').addEventListener('keydown', treeKey)
  $('tree').addEventListener('click', e => {
    const r = e.target.closest('tr')
    if (r && r.node) open(r, r.getAttribute('aria-expanded') !== 'true')
  })
  const tabs = [...document.querySelectorAll('[role=tab]')]
  if (compared || !data.threads.some(t => t.busy)) tabs.pop().remove()
  for (const tab of tabs) {
    tab.addEventListener('click', () => { view = tab.dataset.view; show() })
    tab.addEventListener('keydown', e => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[e.key]
      const to = step && tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length]
      if (to) { to.click(); to.focus() }
    })
  }
  document.addEventListener('keydown', e => {
    if (e.key === '/' && document.activeElement.tagName !== 'INPUT') {
      e.preventDefault()
      $('search').focus()
    }
  })
  let width = 0
  window.addEventListener('resize', () => {
    if ($('flame').clientWidth !== width && view === 'flame') flame()
    width = $('flame').clientWidth
  })
  choose(data.threads.length > 1 ? -1 : 0)
}
if (data.threads.length) start()
else $('about').textContent = data.about + ': nothing was recorded'
