// What HTML alone cannot.

// Copying to the clipboard. `data-copy` holds the text, or `#id` of what shows it.
document.addEventListener('click', event => {
  const button = event.target.closest('button[data-copy]');
  if (!button) return;
  const source = button.dataset.copy;
  const text = source.startsWith('#') ? document.querySelector(source)?.textContent : source;
  // Browsers give the clipboard to secure addresses and to this machine alone.
  if (!navigator.clipboard) return void prompt('To copy:', text);
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

// After an action the address is that of the page again, so that reading it again does not repeat the action.
const { here } = document.body.dataset;
if (here !== location.pathname + location.search) history.replaceState(null, '', here);

// A live update leaves alone what the reader has opened or closed.
htmx.registerExtension('console', {
  htmx_before_morph_attr: (element, { attrName }) =>
    !(attrName === 'open' && element instanceof HTMLDetailsElement),
});
