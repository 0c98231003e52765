// SPDX-License-Identifier: MIT
// Tables of the coverage page: a head sorts by its column, the filter hides rows, a
// package's link shows its sources only.
'use strict'
for (const table of document.querySelectorAll('table.sort')) {
  const heads = [...table.querySelectorAll('th')]
  const body = table.tBodies[0]
  const value = (row, i) => {
    const cell = row.cells[Math.min(i, row.cells.length - 1)]
    if (cell.dataset.v !== undefined) return Number(cell.dataset.v)
    return i && !isNaN(cell.textContent) ? Number(cell.textContent) : cell.textContent
  }
  heads.forEach((head, i) => {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = head.textContent
    head.replaceChildren(button)
    button.addEventListener('click', () => {
      const down = head.getAttribute('aria-sort') === 'ascending'
      for (const other of heads) other.removeAttribute('aria-sort')
      head.setAttribute('aria-sort', down ? 'descending' : 'ascending')
      const rows = [...body.rows].filter(r => !r.classList.contains('all'))
      rows.sort((a, b) => {
        const x = value(a, i), y = value(b, i), order = x < y ? -1 : x > y ? 1 : 0
        return down ? -order : order
      })
      body.append(...rows)
    })
  })
}
const filter = document.getElementById('filter')
const sources = document.getElementById('sources')
function show(wanted) {
  for (const row of sources.tBodies[0].rows) row.hidden = !wanted(row)
}
if (filter) {
  filter.addEventListener('input', () => {
    const text = filter.value.toLowerCase()
    show(row => row.cells[0].textContent.toLowerCase().includes(text))
  })
  for (const link of document.querySelectorAll('#packages a'))
    link.addEventListener('click', () => {
      filter.value = ''
      show(row => row.dataset.package === link.dataset.package)
    })
}
