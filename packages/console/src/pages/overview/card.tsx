import type { ReactNode } from 'react';

interface CardProps {
  readonly title: string;
  readonly isWide?: boolean;
  readonly control?: ReactNode;
  readonly children: ReactNode;
}

export function Card({ title, isWide = false, control, children }: CardProps) {
  return (
    <section className={isWide ? 'card card-wide' : 'card'}>
      <div className="card-head">
        <h2>{title}</h2>
        {control}
      </div>
      {children}
    </section>
  );
}
