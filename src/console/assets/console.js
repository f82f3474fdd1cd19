// What HTML alone cannot: copying to the clipboard. `data-copy` holds the text, or the id of what shows it.
document.addEventListener('click', event => {
  const button = event.target.closest('button[data-copy]');
  if (!button) return;
  const source = button.dataset.copy;
  const text = source.startsWith('#') ? document.querySelector(source)?.textContent : source;
  navigator.clipboard.writeText(text ?? '').then(() => {
    const label = button.textContent;
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = label;
    }, 1500);
  });
});
