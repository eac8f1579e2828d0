import type { ReactNode } from 'react';
import { Button } from '../controls/button.tsx';

export interface DangerousAction {
  readonly title: string;
  readonly lead: ReactNode;
  readonly action: string;
  readonly onClick: () => void;
  /** It takes nothing away. */
  readonly isHarmless?: boolean;
  /** Why it cannot be done. */
  readonly impossibleBecause?: string | undefined;
}

/** What takes something away, set apart from everything else. */
export function DangerZone({ actions }: { readonly actions: readonly DangerousAction[] }) {
  return (
    <ul className="danger-zone">
      {actions.map(({ title, lead, action, onClick, isHarmless = false, impossibleBecause }) => (
        <li key={title}>
          <div>
            <h2>{title}</h2>
            <p className="quiet">{impossibleBecause ?? lead}</p>
          </div>
          <Button
            variant={isHarmless ? 'default' : 'outline'}
            {...(!isHarmless && { color: 'red' })}
            onClick={onClick}
            disabled={impossibleBecause !== undefined}
          >
            {action}
          </Button>
        </li>
      ))}
    </ul>
  );
}
