import type { ReactNode } from 'react';
import { PersonContext, usePerson } from '../../environment.ts';
import { t } from '../../texts/texts.ts';

interface ManagedProps {
  readonly record: { readonly managedBy: string };
}

/** Above a client or a resource server: its configuration alone changes it. */
export function Managed({ record: { managedBy } }: ManagedProps) {
  if (managedBy === '') return undefined;
  return (
    <p className="note" role="status">
      {managedText(managedBy)}
    </p>
  );
}

/** Why the record cannot be changed here; `undefined` if it can. */
export function managedText(managedBy: string): string | undefined {
  return managedBy === '' ? undefined : t('managed.note', { configuration: managedBy });
}

/** What changes the record itself, which is only read where a configuration manages it. */
export function UnlessManaged({ record, children }: ManagedProps & { readonly children: ReactNode }) {
  const person = usePerson();
  const mayWrite = person.mayWrite && record.managedBy === '';
  return <PersonContext.Provider value={{ ...person, mayWrite }}>{children}</PersonContext.Provider>;
}
