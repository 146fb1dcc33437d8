import { viewList, type ViewId } from '@shared/actions/view-list';
import { lazy, type ComponentType, type LazyExoticComponent } from 'react';

type LoadModule = () => Promise<Record<string, ComponentType>>;
const modules = import.meta.glob<Record<string, ComponentType>>('../features/*/*-view.tsx');

/** Loads a view from its folder; each file of a view exports that view alone. */
export async function loadView(id: ViewId): Promise<{ default: ComponentType }> {
  const load: LoadModule | undefined = modules[`../features/${id}/${id}-view.tsx`];
  const [view] = load ? Object.values(await load()) : [];
  if (!view) throw new Error(`features/${id}/${id}-view.tsx exports no view.`);
  return { default: view };
}

/** Each view is loaded when first shown. */
export const viewComponents = Object.fromEntries(
  viewList.map(({ id }) => [id, lazy(() => loadView(id))]),
) as Record<ViewId, LazyExoticComponent<ComponentType>>;
