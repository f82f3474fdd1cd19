// Behaviour that HTML alone cannot provide.

// Copies to the clipboard. `data-copy` holds the text, or `#id` of the element with the text.
document.addEventListener('click', event => {
  const button = event.target.closest('button[data-copy]');
  if (!button) return;
  const source = button.dataset.copy;
  const text = source.startsWith('#') ? document.querySelector(source)?.textContent : source;
  // Browsers offer the clipboard only on HTTPS and on localhost.
  if (!navigator.clipboard) return void prompt('Copy this text:', text);
  const { ariaLabel } = button;
  navigator.clipboard.writeText(text ?? '').then(() => {
    button.textContent = 'Copied';
    button.ariaLabel = ariaLabel.replace(/^Copy/, 'Copied');
    setTimeout(() => {
      button.textContent = 'Copy';
      button.ariaLabel = ariaLabel;
    }, 1500);
  });
});

// After an action the address bar shows the page, so that a reload does not repeat the action.
const { here } = document.body.dataset;
if (here !== location.pathname + location.search) history.replaceState(null, '', here);

// A live update keeps open what the reader opened.
htmx.registerExtension('console', {
  htmx_before_morph_attr: (element, { attrName }) =>
    !(attrName === 'open' && element instanceof HTMLDetailsElement),
});
