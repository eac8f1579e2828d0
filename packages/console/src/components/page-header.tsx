import { type ReactNode, useEffect } from 'react';
import { useEnvironment } from '../environment.ts';
import { Link } from '../router/link.tsx';
import { t } from '../texts/texts.ts';

interface PageHeaderProps {
  readonly title: string;
  /** The pages above this one. */
  readonly above?: readonly { readonly to: string; readonly label: string }[];
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
}

/** The heading of a page, which is also the title of the window. */
export function PageHeader({ title, above = [], lead, actions }: PageHeaderProps) {
  const { productName } = useEnvironment();
  useEffect(() => {
    document.title = `${title} – ${productName}`;
  }, [title, productName]);
  return (
    <header className="page-header">
      {above.length > 0 && (
        <nav aria-label={t('header.breadcrumb')} className="breadcrumb">
          <ol>
            {above.map(({ to, label }) => (
              <li key={to}>
                <Link to={to}>
                  <bdi>{label}</bdi>
                </Link>
              </li>
            ))}
          </ol>
        </nav>
      )}
      <div className="page-header-row">
        <div>
          <h1>
            <bdi>{title}</bdi>
          </h1>
          {lead !== undefined && <div className="lead">{lead}</div>}
        </div>
        {actions !== undefined && <div className="page-actions">{actions}</div>}
      </div>
    </header>
  );
}
