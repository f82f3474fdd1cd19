import type { Info } from '../../client/answers.ts';
import { Copyable } from '../components/copyable.tsx';
import { useTexts } from '../texts/languages.ts';

/** Instructions for a new user. */
export const FirstSteps = ({ origin, info }: { origin: string; info: Info }) => (
  <section aria-labelledby="steps">
    <h2 id="steps">{useTexts().overview.firstSteps}</h2>
    <ol>
      <li>
        Configure this address in your VASP: <Copyable text={origin} />. Use it as <code>{'{base_url}'}</code>{' '}
        of the enclave and as <code>{'{robot_base_url}'}</code> of the robot.
      </li>
      <li>
        Let it withdraw to {info.robot.name}, vaspId <Copyable text={info.robot.vaspId} />. Choose the address
        of one of <a href="/console/users">its users</a>.
      </li>
      <li>
        Enter the endpoints of your VASP in <a href="/console/settings">My VASP</a>, and let the sandbox call
        them.
      </li>
      <li>
        <a href="/console/send">Send</a> has a ready-made form for every request and every action of the
        robot. You can try them without a VASP of your own.
      </li>
      <li>
        Do not wait: <a href="/console/timers">advance the time</a>.
      </li>
      <li>Send your transfers to the chains on this page. They are real ledgers inside this program.</li>
      <li>
        The <a href="/docs">API documentation</a> has every request and every error.
      </li>
    </ol>
  </section>
);
