import { usePerson } from '../../environment.ts';
import { rich } from '../../texts/rich.tsx';
import { t } from '../../texts/texts.ts';
import { EmptyState } from '../empty-state.tsx';

/** Where a record could be registered: why the user cannot, and whom to ask. */
export function WhoRegisters() {
  const { mayWrite, mayRegister, registration } = usePerson();
  // Without the scope that changes records, nothing on these pages is offered.
  if (mayRegister || !mayWrite) return undefined;
  const [, group] = /^group:(.+)$/s.exec(registration) ?? [];
  return (
    <p className="quiet who-registers">
      {group === undefined ? t('registration.administrators') : rich('registration.group', { group })}
    </p>
  );
}

/** In place of the form of a new record. */
export function MayNotRegister() {
  const { mayWrite } = usePerson();
  return (
    <EmptyState title={t('registration.refused')} isHeading>
      {mayWrite ? <WhoRegisters /> : <p>{t('registration.readOnly')}</p>}
    </EmptyState>
  );
}
