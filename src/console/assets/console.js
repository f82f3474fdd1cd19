// Behaviour that HTML cannot provide.

const TEXTS = JSON.parse(document.getElementById('texts').textContent);

// Copies to the clipboard. `data-copy` holds the text, or `#id` of the element with the text.
document.addEventListener('click', event => {
  const button = event.target.closest('button[data-copy]');
  if (!button) return;
  const source = button.dataset.copy;
  const text = source.startsWith('#') ? textOf(document.querySelector(source)) : source;
  // Browsers offer the clipboard only on HTTPS and on localhost.
  if (!navigator.clipboard) return void prompt('Copy this text:', text);
  const { ariaLabel, textContent } = button;
  if (textContent.trim() === TEXTS.copied) return;
  navigator.clipboard.writeText(text ?? '').then(() => {
    button.textContent = TEXTS.copied;
    button.ariaLabel = ariaLabel.replace(textContent.trim(), TEXTS.copied);
    setTimeout(() => {
      button.textContent = textContent;
      button.ariaLabel = ariaLabel;
    }, 1500);
  });
});

for (const [position, code] of document.querySelectorAll('.chapter pre > code').entries()) {
  code.id = `code-${position}`;
  const button = document.createElement('button');
  Object.assign(button, { type: 'button', className: 'copy', textContent: TEXTS.copy, ariaLabel: TEXTS.copy });
  button.dataset.copy = `#${code.id}`;
  code.parentElement.prepend(button);
}

// JSON folds at its braces, or all at once.
document.addEventListener('click', event => {
  const brace = event.target.closest('.json-fold');
  if (brace) return void brace.parentElement.classList.toggle('closed');
  const { fold } = event.target.closest('button[data-fold]')?.dataset ?? {};
  if (!fold) return;
  const inner = document.querySelectorAll(`${fold} .json-group .json-group`);
  const isOpen = [...inner].some(group => !group.classList.contains('closed'));
  for (const group of inner) group.classList.toggle('closed', isOpen);
});

/** JSON is drawn as a tree. It is copied with line breaks. */
function textOf(element) {
  const text = element?.textContent ?? '';
  try {
    return element.matches('.json') ? JSON.stringify(JSON.parse(text), null, 2) : text;
  } catch {
    return text;
  }
}

// After an action the focus is where it was. The page is not moved: its notice stands above.
const PRESSED = 'robot-vasp-pressed';
const fieldsOf = action =>
  [...document.forms].filter(form => form.getAttribute('action') === action).flatMap(form => [...form.elements]);
document.addEventListener('submit', ({ target, submitter }) => {
  const action = target.getAttribute('action');
  if (target.method !== 'post' || action === null) return;
  const position = fieldsOf(action).indexOf(submitter ?? document.activeElement);
  sessionStorage.setItem(PRESSED, JSON.stringify({ action, position }));
});
function focusAgain() {
  const { action, position } = JSON.parse(sessionStorage.getItem(PRESSED) ?? '{}');
  sessionStorage.removeItem(PRESSED);
  if (action !== location.pathname + location.search) return;
  const field = fieldsOf(action)[position] ?? document.getElementById('notice');
  field.focus({ preventScroll: true });
}
focusAgain();

// After an action the address bar shows the page, so that a reload does not repeat the action.
const { here } = document.body.dataset;
if (here !== location.pathname + location.search) history.replaceState(null, '', here);

// A live update keeps open what the reader opened.
htmx.registerExtension('console', {
  htmx_before_morph_attr: (element, { attrName }) => !(attrName === 'open' && element instanceof HTMLDetailsElement),
});

// A link within the page opens what it leads to.
document.addEventListener('click', event => {
  const id = event.target.closest('a[href^="#"]')?.hash.slice(1);
  const target = id && document.getElementById(id);
  if (target instanceof HTMLDetailsElement) target.open = true;
});

// A click anywhere in a row opens its page.
document.addEventListener('click', event => {
  const row = event.target.closest('tbody[data-href]');
  if (!row || event.target.closest('a, button, input, select, summary, details, label, pre')) return;
  if (String(getSelection())) return;
  if (event.ctrlKey || event.metaKey) window.open(row.dataset.href, '_blank', 'noopener');
  else location.assign(row.dataset.href);
});

// A filter applies while it is typed. Its address can be kept.
let waiting;
function applyFilter(form, delay) {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    const query = new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== ''));
    const address = form.getAttribute('action') + (query.size === 0 ? '' : `?${query}`);
    const live = document.getElementById('live');
    live.setAttribute('hx-get', address);
    history.replaceState(null, '', address);
    htmx.ajax('GET', address, { source: live, target: live, select: '#live > *', swap: 'innerMorph' });
  }, delay);
}
const filterOf = event => event.target.closest?.('form.filter[data-instant]');
document.addEventListener('input', event => {
  const form = filterOf(event);
  if (form) applyFilter(form, 250);
});

// Times are UTC, or local where the reader has chosen so.
const ZONE = 'robot-vasp-zone';
const two = number => String(number).padStart(2, '0');
function momentText(iso, isLocal, isClock) {
  if (!isLocal) return isClock ? iso.slice(11, -1) : iso.slice(0, 19).replace('T', ' ');
  const date = new Date(iso);
  const clock = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  if (isClock) return `${clock}.${String(date.getMilliseconds()).padStart(3, '0')}`;
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${clock}`;
}
function showTimes() {
  const isLocal = localStorage.getItem(ZONE) === 'local';
  const button = document.getElementById('zone');
  button.hidden = false;
  button.textContent = isLocal ? TEXTS.localTime : 'UTC';
  for (const time of document.querySelectorAll('time[data-utc]')) {
    const moment = time.querySelector('.moment') ?? time;
    const text = momentText(time.dateTime, isLocal, time.dataset.utc === 'clock');
    if (moment.textContent !== text) moment.textContent = text;
    const zone = time.querySelector('.zone');
    if (zone) zone.textContent = isLocal ? TEXTS.local : 'UTC';
  }
}
document.getElementById('zone').addEventListener('click', () => {
  localStorage.setItem(ZONE, localStorage.getItem(ZONE) === 'local' ? 'utc' : 'local');
  showTimes();
});
document.addEventListener('htmx:after:swap', showTimes);
showTimes();
