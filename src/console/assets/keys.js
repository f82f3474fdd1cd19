// Keys: `/` searches, Ctrl-K opens the palette, Ctrl-Enter sends, `?` lists the keys, j and k go through rows.

const KEYS = [
  ['/', TEXTS.keySearch],
  ['Ctrl-K', TEXTS.keyPalette],
  ['?', TEXTS.keyKeys],
  ['Ctrl-Enter', TEXTS.keySend],
  ['j, k', TEXTS.keyRows],
  ['Enter', TEXTS.keyOpen],
  ['[ and ]', TEXTS.keyNeighbours],
  ['Escape', TEXTS.close],
];

const make = (name, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
};

function dialog(label) {
  const found = make('dialog', { className: 'palette', ariaLabel: label });
  found.addEventListener('close', () => found.remove());
  found.addEventListener('click', event => event.target === found && found.close());
  document.body.append(found);
  return found;
}

function showKeys() {
  const list = make('dl');
  for (const [key, meaning] of KEYS) list.append(make('dt', {}, make('kbd', {}, key)), make('dd', {}, meaning));
  const box = dialog(TEXTS.keys);
  const close = make('button', { type: 'button', className: 'secondary' }, TEXTS.close);
  close.addEventListener('click', () => box.close());
  box.append(make('article', {}, make('h2', {}, TEXTS.keys), list, close));
  box.showModal();
}

let entries;
const loadEntries = async () => {
  entries ??= await (await fetch('/console/palette')).json();
  return entries;
};

async function showPalette() {
  const box = dialog(TEXTS.paletteTitle);
  const input = make('input', { type: 'search', placeholder: TEXTS.paletteHint, ariaLabel: TEXTS.paletteField });
  const list = make('ul');
  box.append(make('article', {}, input, list));
  box.showModal();
  const all = await loadEntries();
  const links = () => [...list.querySelectorAll('a')];
  const draw = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = all.filter(({ text, group }) => words.every(word => `${group} ${text}`.toLowerCase().includes(word)));
    const search =
      words.length === 0
        ? []
        : [
            {
              group: TEXTS.paletteSearch,
              text: `“${input.value.trim()}”`,
              href: `/console/find?search=${encodeURIComponent(input.value.trim())}`,
            },
          ];
    list.replaceChildren(
      ...[...fits.slice(0, 12), ...search].map(({ group, text, href }) =>
        make('li', {}, make('a', { href }, make('small', {}, group), ` ${text}`)),
      ),
    );
  };
  input.addEventListener('input', draw);
  input.addEventListener('keydown', event => event.key === 'Enter' && links()[0]?.click());
  box.addEventListener('keydown', event => {
    // A search field would only clear itself.
    if (event.key === 'Escape') return box.close();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const stops = [input, ...links()];
    stops[(stops.indexOf(document.activeElement) + step + stops.length) % stops.length].focus();
  });
  draw();
  input.focus();
}

function moveRow(step) {
  const rows = [...document.querySelectorAll('main .table tbody:has(a, summary)')];
  if (rows.length === 0) return;
  const at = rows.findIndex(row => row.contains(document.activeElement));
  const next = rows[Math.max(0, Math.min(rows.length - 1, at + step))];
  next.querySelector('a, summary').focus();
}

const ACTIONS = {
  '/': () => document.getElementById('find').focus(),
  '?': showKeys,
  j: () => moveRow(1),
  k: () => moveRow(-1),
  '[': () => document.querySelector('a[rel="prev"]')?.click(),
  ']': () => document.querySelector('a[rel="next"]')?.click(),
};

document.addEventListener('keydown', event => {
  if ((event.ctrlKey || event.metaKey) && event.key === 'Enter')
    return document.getElementById('send')?.requestSubmit();
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
    event.preventDefault();
    if (!document.querySelector('dialog[open]')) void showPalette();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Escape' && document.activeElement?.closest('header .group')) return document.activeElement.blur();
  if (event.target.closest('input, textarea, select, dialog')) return;
  const action = ACTIONS[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});

document.getElementById('palette-button').addEventListener('click', () => void showPalette());
