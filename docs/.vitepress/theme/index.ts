/** VitePress's own theme without its web fonts: the site shows the system's. */
export { default } from 'vitepress/theme-without-fonts';
