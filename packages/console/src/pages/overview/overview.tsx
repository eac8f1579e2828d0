import { PageHeader } from '../../components/page-header.tsx';

export function Overview() {
  return <PageHeader title="Overview" />;
}
