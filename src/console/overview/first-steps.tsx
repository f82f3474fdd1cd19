import type { Info } from '../../client/answers.ts';
import { Copyable } from '../components/copyable.tsx';

/** For somebody who opens it for the first time. */
export const FirstSteps = ({ origin, info }: { origin: string; info: Info }) => (
  <section aria-labelledby="steps">
    <h2 id="steps">First steps</h2>
    <ol>
      <li>
        Give your VASP the address of its enclave and of the robot: <Copyable text={origin} />. It is both{' '}
        <code>{'{base_url}'}</code> and <code>{'{robot_base_url}'}</code> of the documents.
      </li>
      <li>
        Let it withdraw to {info.robot.name}, <Copyable text={info.robot.vaspId} />, at an address of one of{' '}
        <a href="/console/users">its users</a>.
      </li>
      <li>
        Tell the sandbox where your VASP answers, and let it call your endpoints, in{' '}
        <a href="/console/settings">Settings</a>.
      </li>
      <li>
        <a href="/console/send">Send</a> plays every request and every action of the robot with a form that is
        filled in; you need no VASP of your own for that.
      </li>
      <li>
        Instead of waiting, <a href="/console/timers">advance the time</a>.
      </li>
      <li>
        Your transfers go to the chains below; they are real, and run inside. The{' '}
        <a href="/docs">API documentation</a> has every request and every error.
      </li>
    </ol>
  </section>
);
