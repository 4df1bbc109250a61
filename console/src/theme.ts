import { createTheme, type MantineColorsTuple } from '@mantine/core'

/** One accent, a quiet grey beside it. */
const accent: MantineColorsTuple = [
  '#eef3fc',
  '#d9e4f7',
  '#b0c6ed',
  '#84a6e3',
  '#5f8adb',
  '#4878d6',
  '#3b6fd4',
  '#2d5ebd',
  '#2354a9',
  '#154895',
]

export const theme = createTheme({
  colors: { accent },
  primaryColor: 'accent',
  primaryShade: 8,
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'Cascadia Mono', 'Noto Sans Mono', monospace",
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  defaultRadius: 'sm',
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '20px', lineHeight: '28px' },
      h2: { fontSize: '15px', lineHeight: '24px' },
      h3: { fontSize: '13px', lineHeight: '20px' },
    },
  },
  cursorType: 'pointer',
  components: {
    Button: { defaultProps: { size: 'xs' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    TextInput: { defaultProps: { size: 'xs' } },
    NumberInput: { defaultProps: { size: 'xs' } },
    Select: { defaultProps: { size: 'xs', checkIconPosition: 'right' } },
    MultiSelect: { defaultProps: { size: 'xs' } },
    Textarea: { defaultProps: { size: 'xs' } },
    PasswordInput: { defaultProps: { size: 'xs' } },
    Checkbox: { defaultProps: { size: 'xs' } },
    Switch: { defaultProps: { size: 'xs' } },
    SegmentedControl: { defaultProps: { size: 'xs' } },
    // The colours of these are for the icon and the ground; as text some have too little contrast.
    Alert: { styles: { title: { color: 'var(--mantine-color-text)' } } },
    Tabs: { defaultProps: { keepMounted: false } },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 300 } },
  },
})
