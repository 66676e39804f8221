#pragma once
#include <QLayout>
#include <QWidget>

/// Makes a window as high as its wrapped text needs at its width; adjustSize() would ask at another width.
inline void fitHeight(QWidget &window)
{
    auto *layout = window.layout();
    layout->setSizeConstraint(QLayout::SetNoConstraint); // its own least height is that of a narrow window
    const auto wide = std::max(window.width(), window.minimumWidth());
    const auto high =
        layout->hasHeightForWidth() ? layout->totalHeightForWidth(wide) : layout->totalSizeHint().height();
    window.setMinimumHeight(high);
    window.resize(wide, high);
}
