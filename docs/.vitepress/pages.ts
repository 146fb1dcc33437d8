/** Every page of the site, in reading order; `test/structure/docs-site.test.ts` finds one that is missing here. */
export const groups = [
  {
    text: 'Start',
    items: [
      { text: 'Countersign', link: '/' },
      { text: 'Start', link: '/start' },
      { text: 'Keys, menus and links', link: '/app' },
      { text: 'Command line', link: '/command-line' },
      { text: 'Options of every command', link: '/options' },
    ],
  },
  {
    text: 'Guides',
    items: [
      { text: 'Signing', link: '/signing' },
      { text: 'Sandbox', link: '/sandbox' },
      { text: 'A sandbox for a team', link: '/shared-sandbox' },
      { text: 'Webhooks', link: '/webhooks' },
      { text: 'Forwarding and tunnels', link: '/forwarding' },
      { text: 'Your own backend', link: '/backend' },
      { text: 'Requests as tests, CI', link: '/ci' },
      { text: 'Agents', link: '/agents' },
      { text: 'Team', link: '/team' },
    ],
  },
  {
    text: 'Requests',
    items: [
      { text: 'Collections and file format', link: '/http-files' },
      { text: 'Environments', link: '/environments' },
      { text: 'Sending and reading', link: '/answers' },
      { text: 'History', link: '/history' },
      { text: 'Import', link: '/import' },
      { text: 'Export', link: '/export' },
    ],
  },
  {
    text: 'Trust',
    items: [
      { text: 'Security', link: '/security' },
      { text: 'Assumptions', link: '/assumptions' },
      { text: 'Rules and their tests', link: '/conformance' },
      { text: 'Supply chain', link: '/supply-chain' },
      { text: 'Performance', link: '/performance' },
    ],
  },
  {
    text: 'Working on it',
    items: [
      { text: 'Contributing', link: '/contributing' },
      { text: 'Architecture', link: '/architecture' },
      { text: 'Decisions', link: '/decisions/' },
    ],
  },
] as const;
