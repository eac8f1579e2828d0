import type { ReactNode } from 'react';

interface EmptyStateProps {
  readonly title: string;
  /** What to do next. */
  readonly children?: ReactNode;
  readonly isHeading?: boolean;
}

/** Shows that a list is empty, and what to do next. */
export function EmptyState({ title, children, isHeading = false }: EmptyStateProps) {
  const Title = isHeading ? 'h1' : 'p';
  return (
    <div className="empty-state">
      <Title className="empty-state-title">{title}</Title>
      {children}
    </div>
  );
}
