import { renderMermaidSVG } from 'beautiful-mermaid';

/**
 * Draws the diagrams of a text. Their colours are those of the theme (docs/.vitepress/theme/site.css), so the drawings have no
 * style of their own. The style that is left out would also load a font from another host.
 */
export function withDrawings(text: string): string {
  return text.replaceAll(/^```mermaid\n([\s\S]*?)^```$/gm, (_, diagram: string) => {
    const svg = renderMermaidSVG(diagram, { transparent: true });
    const drawing = svg.replaceAll(/<style>[\s\S]*?<\/style>/g, '').replaceAll(/\s*\n\s*/g, ' ');
    return `<div class="diagram" v-pre>${drawing}</div>`;
  });
}
