import { t } from '../../texts/texts.ts';
import { Timestamp } from '../timestamp.tsx';

/** When something was last used: the server knows a month. @param time epoch milliseconds */
export function LastUse({ time }: { readonly time: number | null | undefined }) {
  return time == null ? (
    <span className="quiet timestamp">{t('table.notInMonth')}</span>
  ) : (
    <Timestamp time={time} />
  );
}
