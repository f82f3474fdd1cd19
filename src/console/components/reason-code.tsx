import { isReason } from '../../contract/reasons.ts';
import { useTexts } from '../texts/languages.ts';

/** The reason of a result with its meaning. A success shows nothing. */
export const ReasonCode = ({ of }: { of: string | null }) => {
  const { reasons } = useTexts();
  if (of === null || of === 'OK' || !isReason(of)) return null;
  return (
    <span>
      <a href={`/guide/codes/${of}`}>
        <code>{of}</code>
      </a>{' '}
      <small>{reasons[of].meaning}</small>
    </span>
  );
};
