import { ExchangeDetail } from '../components/exchange-detail.tsx';
import { durationText } from '../components/time.tsx';
import { useTexts } from '../texts/languages.ts';
import type { Module } from './modules.tsx';

type Exchange = Module['exchanges'][number];

interface ExchangeSequence {
  exchanges: readonly Exchange[];
  /** Of the sandbox, for its own paths. */
  origin: string;
}

/** The calls between the VASP and the enclave: time runs down, and a call opens with its bodies. */
export const ExchangeSequence = ({ exchanges, origin }: ExchangeSequence) => {
  const { check, places } = useTexts();
  return exchanges.length === 0 ? null : (
    <>
      <h3>{check.calls}</h3>
      <div class="sequence two">
        <div class="lanes" aria-hidden="true">
          <span>VASP</span>
          <span>{places.enclave}</span>
        </div>
        <ol>
          {exchanges.map(each => (
            <Call of={each} origin={origin} />
          ))}
        </ol>
      </div>
    </>
  );
};

const Call = ({ of, origin }: { of: Exchange; origin: string }) => {
  const { id, direction, operation, status, error, durationMs, at } = of;
  const { enclave } = useTexts().places;
  const isFromVasp = direction === 'IN';
  const hasFailed = status === null || status >= 400;
  return (
    <li class={`message ${isFromVasp ? 'right' : 'left'} ${hasFailed ? 'failed' : ''}`}>
      <details id={`call-${id}`}>
        <summary class="line" style="--first:0;--lanes:2">
          <time datetime={at} title={`${at} (UTC)`} data-utc="clock">
            {at.slice(11, -1)}
          </time>
          <span class="drawn" aria-hidden="true" />
          <span class="text">
            <span class="parties">{isFromVasp ? `VASP → ${enclave}` : `${enclave} → VASP`}</span> {operation}:{' '}
            {status ?? error} <small>{durationText(durationMs, useTexts().time)}</small>
          </span>
        </summary>
        <div class="opened">
          <ExchangeDetail of={of} id={`call-${id}`} origin={origin} />
        </div>
      </details>
    </li>
  );
};
