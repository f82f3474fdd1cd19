/** The way on after a guided test. */
export const NextOwnVasp = () => (
  <p class="next-step">
    <strong>Next: your own VASP.</strong> Enter its addresses in <a href="/console/settings">My VASP</a> and
    let the sandbox call them. Then the same test runs against your code, and{' '}
    <a href="/console/checks">Checks</a> gives a verdict.
  </p>
);
