import type { ReactNode } from 'react';

export interface Fact {
  readonly label: string;
  readonly value: ReactNode;
}

interface FactsProps {
  readonly facts: readonly Fact[];
  /** Each on a line, as in a dialog. */
  readonly isList?: boolean;
}

/** What a record is, in a line below its name or as a list. */
export function Facts({ facts, isList = false }: FactsProps) {
  return (
    <dl className={isList ? 'facts facts-list' : 'facts'}>
      {facts.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
