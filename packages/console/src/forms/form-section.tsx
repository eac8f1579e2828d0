import type { ReactNode } from 'react';

/** A part of a form, with a description next to its fields. */
export function FormSection({
  title,
  children,
  lead,
}: {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section className="form-section">
      <div className="form-section-head">
        <h2>{title}</h2>
        {lead !== undefined && <p className="quiet">{lead}</p>}
      </div>
      <div className="form-section-fields">{children}</div>
    </section>
  );
}
