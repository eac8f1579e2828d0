import Theme from 'vitepress/theme-without-fonts';
import './site.css';

export default Theme;
