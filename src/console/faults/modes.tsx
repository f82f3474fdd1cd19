import type { SandboxAnswers } from '../../client/answers.ts';
import { Field } from '../components/field.tsx';
import { type FormValues, valuesOfForm } from '../components/form-values.ts';
import { InlineCode } from '../components/inline-code.tsx';
import { OwnFields } from '../components/own-fields.tsx';
import type { Texts } from '../texts/english.ts';
import { useTexts } from '../texts/languages.ts';

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
          <OwnFields to="/console/faults/add" hidden={{ target, mode: mode.mode }}>
            <Parameters of={mode} values={valuesOfForm(sent, { target, mode: mode.mode })} />
          </OwnFields>
          <button type="submit" class="secondary" aria-label={useTexts().faults.addMode(mode.mode)}>
            {useTexts().faults.addShort}
          </button>
        </form>
      </article>
    ))}
  </div>
);

type Input = { value?: string; placeholder?: string; type?: 'number' };
type Name = Mode['parameters'][number] | 'times';
const inputsOf = ({ messageHint, untilRemoved }: Texts['faults']): Record<Name, Input> => ({
  delay: { value: '30s' },
  status: { value: '503', type: 'number' },
  code: { placeholder: 'INTERNAL-ERROR' },
  message: { placeholder: messageHint },
  times: { value: '1', placeholder: untilRemoved, type: 'number' },
});

const Parameters = ({ of: { parameters }, values }: { of: Mode; values: FormValues }) => {
  const { faults } = useTexts();
  return (
    <>
      {[...parameters, 'times' as const].map(name => {
        const { value, ...input } = inputsOf(faults)[name];
        const label = faults[name === 'times' ? 'howOften' : name];
        return <Field name={name} label={label} {...input} value={values[name] ?? value} />;
      })}
    </>
  );
};
