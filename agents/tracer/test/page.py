# SPDX-License-Identifier: MIT
"""What a page of the tracer says, as text: page.py FILE

"THREAD;OUTER;INNER VALUE CALLS THROWN" for each node; of a comparison "PATH BEFORE
AFTER".  The values are those of the call itself.  "about", "unit" and "busy THREAD SUM"
stand before.
"""
import json
import re
import sys

text = open(sys.argv[1], encoding='utf-8').read()
data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.S).group(1))
print('about', data['about'])
print('unit', data['unit'])
for thread in data['threads']:
    if 'busy' in thread:
        print('busy', thread['name'], sum(thread['busy']), sum(thread['rate']),
              len(thread['busy']))
for thread in data['threads']:
    path = [thread['name'].replace(';', ',')]
    nodes, width = thread['nodes'], data['columns']
    for i in range(0, len(nodes), width):
        del path[nodes[i]:]
        path.append(data['methods'][nodes[i + 1]])
        print(';'.join(path), *nodes[i + 2:i + width])
