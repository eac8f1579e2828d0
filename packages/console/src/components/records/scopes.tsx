import { t } from '../../texts/texts.ts';

const fitting = 2;

interface ScopesProps {
  readonly scopes: readonly string[];
  /** On one line: the first ones, and how many others there are. */
  readonly isShort?: boolean;
}

/** Scopes, each for itself. */
export function Scopes({ scopes, isShort = false }: ScopesProps) {
  if (scopes.length === 0) return <span className="quiet">{t('scopes.none')}</span>;
  const shown = isShort ? scopes.slice(0, fitting) : scopes;
  const others = scopes.slice(shown.length);
  return (
    <ul
      className="scopes"
      aria-label={t('scopes.label')}
      {...(others.length > 0 && { title: scopes.join(' ') })}
    >
      {shown.map((scope) => (
        <li key={scope} className="chip">
          {scope}
        </li>
      ))}
      {others.length > 0 && (
        <li className="quiet">
          <span aria-hidden="true">+{others.length}</span>
          <span className="visually-hidden">{others.join(' ')}</span>
        </li>
      )}
    </ul>
  );
}
