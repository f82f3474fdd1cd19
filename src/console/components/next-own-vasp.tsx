import { useTexts } from '../texts/languages.ts';
import { Prose } from './prose.tsx';

/** The way on after a guided test. */
export const NextOwnVasp = () => (
  <p class="next-step">
    <Prose of={useTexts().tests.next} />
  </p>
);
