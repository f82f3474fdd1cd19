import type { SandboxAnswers } from '../../client/answers.ts';
import { Field } from '../components/field.tsx';
import { type FormValues, valuesOfForm } from '../components/form-values.ts';
import { InlineCode } from '../components/inline-code.tsx';

export type FaultTarget = SandboxAnswers['faults']['targets'][number];
type Mode = FaultTarget['modes'][number];

interface FaultModes {
  of: FaultTarget;
  verificationUuid: string;
  /** The form that was just sent. */
  sent: FormValues | undefined;
}

/** One form per mode of the target. */
export const FaultModes = ({ of: { target, modes }, verificationUuid, sent }: FaultModes) => (
  <div class="cards">
    {modes.map(mode => (
      <article>
        <h3>{mode.mode}</h3>
        <p>
          <InlineCode text={mode.meaning} />
        </p>
        <form
          id={`add-${target}-${mode.mode}`}
          class="action"
          method="post"
          action="/console/faults/add"
          hx-morph-skip
        >
          <input type="hidden" name="target" value={target} />
          <input type="hidden" name="mode" value={mode.mode} />
          <input type="hidden" name="verificationUuid" value={verificationUuid} />
          <Parameters of={mode} values={valuesOfForm(sent, { target, mode: mode.mode })} />
          <button type="submit" class="secondary" aria-label={`Add ${mode.mode}`}>
            Add
          </button>
        </form>
      </article>
    ))}
  </div>
);

type Input = { label: string; value?: string; placeholder?: string; type?: 'number' };
const INPUTS: Record<Mode['parameters'][number] | 'times', Input> = {
  delay: { label: 'Delay', value: '30s' },
  status: { label: 'Status', value: '503', type: 'number' },
  code: { label: 'Code', placeholder: 'INTERNAL-ERROR' },
  message: { label: 'Message', placeholder: 'text of the error' },
  times: { label: 'How often', value: '1', placeholder: 'until removed', type: 'number' },
};

const Parameters = ({ of: { parameters }, values }: { of: Mode; values: FormValues }) => (
  <>
    {[...parameters, 'times' as const].map(name => {
      const { value, ...input } = INPUTS[name];
      return <Field name={name} {...input} value={values[name] ?? value} />;
    })}
  </>
);
